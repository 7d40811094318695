"""SpellingError: a word written as people misspell it, from a list of known errors and from rules. Pure.

The rules are the patterns of human spelling errors that Yannakoudakis and Fawthrop ("The rules of spelling errors",
Information Processing & Management 19, 1983) and Mitton ("English Spelling and the Computer", 1996) describe: letters
doubled or not, ie and ei, endings that sound alike, silent letters, unstressed vowels, letters that sound alike.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from services.evaluator.perturbations.draws import Draws
from services.evaluator.perturbations.robustness.options import MOST_WORDS, Options
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
# Where a key of INSIDE begins; and where a letter may go wrong: an unstressed vowel between consonants, not before ng;
# a consonant between vowels or an l at the end, which may be doubled; the first of two equal consonants, which may go.
PIECE = re.compile(rf"(?=({'|'.join(INSIDE)}))")
LETTER = re.compile(
    r"(?<=[^aeiou])(?P<vowel>[aeiou])(?=[^aeiou])(?!ng)"
    r"|(?<=[aeiou])(?P<single>[bcdfglmnprst](?=[aeiou])|l$)"
    r"|(?P<double>[bcdfglmnprst])(?=(?P=double))"
)
ANY_VOWEL = re.compile("[aeiou]")


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
    found = set(_letters_wrong(word))
    if (beginning := PREFIXES.get(word[:2])) is not None:
        found.add(beginning + word[2:])
    for size in range(1, min(5, len(word) - 2) + 1):
        if (ending := SUFFIXES.get(word[-size:])) is not None:
            found.add(word[:-size] + ending)
    for match in PIECE.finditer(word, 1):
        start, piece = match.start(), match[1]
        found.add(word[:start] + INSIDE[piece] + word[start + len(piece) :])
    return found


def _letters_wrong(word: str) -> Iterator[str]:
    """The word with one letter heard wrong, doubled or not doubled."""
    first_vowel = match.start() if (match := ANY_VOWEL.search(word)) else len(word)
    for match in LETTER.finditer(word):
        place, letter = match.start(), match[0]
        if match.lastgroup == "single":
            yield word[:place] + letter + word[place:]
        elif match.lastgroup == "double":
            yield word[:place] + word[place + 1 :]
        elif place > first_vowel:  # the first is stressed more often than not
            for vowel in VOWELS[letter]:
                yield word[:place] + vowel + word[place + 1 :]


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


def misspeller(options: Options) -> Callable[[str, Draws], str | None]:
    """The change that SpellingError makes to a word; None for a word that nobody is known to misspell."""

    words = english_words() if options.keep_words else frozenset()
    common = common_words()

    @lru_cache(maxsize=MOST_WORDS)
    def misspellings(word: str) -> tuple[str, ...]:
        known = set(known_errors().get(word, ()))
        if options.reverse_dictionary:
            known.update(known_corrections().get(word, ()))
        return tuple(sorted(wrong(known, word) or wrong(by_rule(word), word) or wrong(by_ear(word), word)))

    def wrong(errors: set[str], word: str) -> set[str]:
        return errors - words - {word}

    def misspell(word: str, random: Draws) -> str | None:
        lowered = word if word.islower() else word.lower()
        if lowered is not word and word[0].isupper() and lowered not in common:
            return None  # a name
        choices = misspellings(lowered)
        if not choices:
            return None
        choice = choices[int(random.random() * len(choices))]
        return choice if lowered is word else like(word, choice)

    return misspell
