"""SpellingError: a word written as people misspell it, from a list of known errors and from rules. Pure.

The rules are the patterns of human spelling errors that Yannakoudakis and Fawthrop ("The rules of spelling errors",
Information Processing & Management 19, 1983) and Mitton ("English Spelling and the Computer", 1996) describe: letters
doubled or not, ie and ei, endings that sound alike, silent letters, unstressed vowels, letters that sound alike.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from random import Random

from services.evaluator.perturbations.robustness.options import Options
from services.evaluator.perturbations.robustness.words import common_words, english_words, like

LIST = Path(__file__).with_name("misspellings.txt")
SHARE = 0.3
PREFIXES = {"kn": "n", "ph": "f", "wh": "w", "wr": "r"}
# Sounds with two spellings; after the first letter, which is seldom wrong.
INSIDE = {
    **{"ie": "ei", "ei": "ie", "ea": "ee", "ee": "ea", "ou": "uo", "ai": "ia", "au": "ua", "oo": "o", "oa": "o"},
    **{"ph": "f", "ck": "k", "ce": "se", "ci": "si", "sce": "se", "sci": "si", "tch": "ch", "ght": "gth"},
    **{"tion": "sion", "ssion": "sion"},
}
SUFFIXES = {
    **{"able": "ible", "ible": "able", "ant": "ent", "ent": "ant", "ance": "ence", "ence": "ance"},
    **{"ary": "ery", "ery": "ary", "or": "er", "er": "or", "ers": "ors", "ar": "er", "le": "el", "al": "el"},
    **{"ful": "full", "ely": "ly", "eful": "ful", "ement": "ment", "ally": "aly", "ing": "eing", "ed": "d"},
    **{"ies": "ys", "ied": "yed", "y": "ey", "ious": "ous", "ous": "us", "mb": "m"},
}
VOWELS = {"a": "ei", "e": "ai", "i": "ea", "o": "ae", "u": "ao"}
DOUBLED = frozenset("bcdfglmnprst")
SINGLE = DOUBLED.union(VOWELS)
BEGINNINGS = frozenset(part[:2] for part in INSIDE)


@cache
def known_errors() -> dict[str, tuple[str, ...]]:
    """The list of known errors: each word with its misspellings, lower case."""
    rows = (line.split() for line in LIST.read_text(encoding="ascii").splitlines() if not line.startswith("#"))
    return {word: tuple(errors) for word, *errors in rows}


@cache
def known_corrections() -> dict[str, tuple[str, ...]]:
    """The list read backwards: what a misspelling that happens to be met may be taken for."""
    found: dict[str, tuple[str, ...]] = {}
    for word, errors in known_errors().items():
        for error in errors:
            found[error] = (*found.get(error, ()), word)
    return found


def by_rule(word: str) -> set[str]:
    """What the rules make of a lower-case word, one rule at one place."""
    found = {replacement + word[len(part) :] for part, replacement in PREFIXES.items() if word.startswith(part)}
    for size in range(1, min(5, len(word) - 2) + 1):
        if (ending := SUFFIXES.get(word[-size:])) is not None:
            found.add(word[:-size] + ending)
    for place in range(1, len(word)):
        if word[place : place + 2] in BEGINNINGS:
            for size in (2, 3, 4, 5):
                if spelling := INSIDE.get(word[place : place + size]):
                    found.add(word[:place] + spelling + word[place + size :])
        if word[place] in SINGLE:
            found.update(word[:place] + letters + word[place + 1 :] for letters in _one_letter(word, place))
    return found


def _one_letter(word: str, place: int) -> list[str]:
    """How the letter at `place` may go wrong: an unstressed vowel, a consonant that is doubled or is not."""
    letter, before, after = word[place], word[place - 1], word[place + 1 : place + 2]
    if letter in VOWELS:
        alone = after and before not in VOWELS and after not in VOWELS and word[place + 1 : place + 3] != "ng"
        return list(VOWELS[letter]) if alone and _has_vowel(word[:place]) else []
    if letter not in DOUBLED:
        return []
    if letter == before:
        return [""]
    return [letter * 2] if before in VOWELS and (after in VOWELS if after else letter == "l") else []


def _has_vowel(piece: str) -> bool:
    return not VOWELS.keys().isdisjoint(piece)


def by_ear(word: str) -> set[str]:
    """For a word that no rule fits: a stressed vowel heard wrong, two letters inside in the wrong order."""
    found = {
        word[:place] + vowel + word[place + 1 :]
        for place in range(1, len(word) - 1)
        for vowel in VOWELS.get(word[place], "")
    }
    for place in range(1, len(word) - 1):
        found.add(word[:place] + word[place + 1] + word[place] + word[place + 2 :])
    return found


def misspeller(options: Options) -> Callable[[str, Random], str | None]:
    """The change that SpellingError makes to a word; None for a word that nobody is known to misspell."""

    words = english_words() if options.keep_words else frozenset()

    @lru_cache(maxsize=50_000)
    def misspellings(word: str) -> tuple[str, ...]:
        known = set(known_errors().get(word, ()))
        if options.reverse_dictionary:
            known.update(known_corrections().get(word, ()))
        return tuple(sorted(wrong(known, word) or wrong(by_rule(word), word) or wrong(by_ear(word), word)))

    def wrong(errors: set[str], word: str) -> set[str]:
        return errors - words - {word}

    def misspell(word: str, random: Random) -> str | None:
        lowered = word if word.islower() else word.lower()
        if lowered is not word and word[0].isupper() and lowered not in common_words():
            return None  # a name
        choices = misspellings(lowered)
        if not choices:
            return None
        choice = choices[int(random.random() * len(choices))]
        return choice if lowered is word else like(word, choice)

    return misspell
