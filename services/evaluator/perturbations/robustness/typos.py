"""Typos: one letter of a word replaced, swapped with the next, inserted or left out; the first and last stay. Pure."""

from string import ascii_lowercase, ascii_uppercase, digits

from services.evaluator.perturbations.draws import Draws

SHARE = 0.3


def slip(word: str, random: Draws) -> str | None:
    """The word with one slip, drawn from those its length admits; None for words of one or two characters."""
    if len(word) < 3:
        return None
    kind = int(random.random() * (3 if len(word) == 3 else 4))  # only from four on are there two inner letters to swap
    inner = 1 + int(random.random() * (len(word) - 2))
    if kind == 0:
        return word[:inner] + _letter_like(word[inner], random) + word[inner + 1 :]
    if kind == 1:
        return word[: inner + 1] + _letter_like(word[inner], random) + word[inner + 1 :]
    if kind == 2:
        return word[:inner] + word[inner + 1 :]
    first = 1 + int(random.random() * (len(word) - 3))
    return word[:first] + word[first + 1] + word[first] + word[first + 2 :]


def _letter_like(character: str, random: Draws) -> str:
    """A random character of the same class."""
    alphabet = digits if character.isdigit() else ascii_uppercase if character.isupper() else ascii_lowercase
    return alphabet[int(random.random() * len(alphabet))]
