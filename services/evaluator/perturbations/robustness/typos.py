"""Typos: one letter of a word replaced, swapped with the next, inserted or left out; the first and last stay. Pure."""

from string import ascii_lowercase, ascii_uppercase, digits

from services.evaluator.perturbations.draws import Draws

SHARE = 0.3


def slip(word: str, random: Draws) -> str | None:
    """The word with one slip, drawn from those its length admits; None for words of one or two characters."""
    length, draw = len(word), random.random
    if length < 3:
        return None
    kind = int(draw() * (3 if length == 3 else 4))  # only from four on are there two inner letters to swap
    inner = 1 + int(draw() * (length - (3 if kind == 3 else 2)))
    before, after = word[:inner], word[inner + 1 :]
    if kind == 2:
        return before + after
    if kind == 3:
        return before + after[0] + word[inner] + after[1:]
    character = word[inner]
    alphabet = ascii_lowercase if character.islower() else _alphabet_of(character)
    drawn = alphabet[int(draw() * len(alphabet))]
    return before + drawn + after if kind == 0 else before + character + drawn + after


def _alphabet_of(character: str) -> str:
    return digits if character.isdigit() else ascii_uppercase if character.isupper() else ascii_lowercase
