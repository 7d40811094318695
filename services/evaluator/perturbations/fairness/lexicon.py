"""The lexicon: names, gendered words, fixed phrases, and the words that the rules of context speak of.

Sources and licences: data/README.md.
All words are kept in lower case; a replacement takes the case of what it replaces.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from services.evaluator.perturbations.robustness.words import WORDS

DATA = Path(__file__).with_name("data")
FILES = (
    "names.tsv",
    "other_first_names.txt",
    "gendered_words.tsv",
    "fixed_phrases.txt",
    "familiar_entities.tsv",
    "word_classes.txt",
)
Group = Literal["api", "black", "hispanic", "white"]
Gender = Literal["female", "male"]
GROUPS: tuple[Group, ...] = ("api", "black", "hispanic", "white")
# A word: letters and digits, so that the 's of "sister's" is a word of its own and a stem is edited alone.
WORD = re.compile(r"\bma['’]am\b|[^\W_]+", re.IGNORECASE)


class Name(NamedTuple):
    """A first name: `group` is the plurality among its bearers, `gender` that of at least 90 % of births."""

    text: str
    group: str
    gender: str


class Phrase(NamedTuple):
    """The words before and after a gendered word that make it part of a fixed phrase."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class Lexicon:
    """The word lists, ready for looking up.

    `names` are swapped; `paper_names` are those of the paper's lists, every reading of a name that is in two of them.
    `other_names` are first names that nothing replaces. `partners` maps a gendered word to (its partner, the
    partner's gender); `cells` the names of each (group, gender) in the order of the file.
    """

    names: Mapping[str, Name]
    paper_names: Mapping[str, Name]
    other_names: frozenset[str]
    partners: Mapping[str, tuple[str, Gender]]
    phrases: Mapping[str, tuple[Phrase, ...]]
    classes: Mapping[str, frozenset[str]]
    cells: Mapping[tuple[str, str], tuple[Name, ...]]


@cache
def lexicon() -> Lexicon:
    """The lexicon of this version of Dynaboard, read once."""
    names, paper = _names()
    partners = _partners()
    return Lexicon(
        names=names,
        paper_names=paper,
        other_names=frozenset(line.lower() for line in _lines("other_first_names.txt")),
        partners=partners,
        phrases=_phrases(partners),
        classes=_classes(),
        cells=_cells(names),
    )


def digests() -> dict[str, str]:
    """SHA-256 of each file that decides what changes, by file name; words.txt tells words from names."""
    paths = [*(DATA / name for name in FILES), WORDS]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def familiar_entities() -> list[tuple[str, str]]:
    """The gazetteer: (spaCy's label of the kind, the entity as it is written)."""
    return [(label, entity) for label, entity in (line.split("\t") for line in _lines("familiar_entities.tsv")[1:])]


def _lines(name: str) -> list[str]:
    text = (DATA / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _names() -> tuple[dict[str, Name], dict[str, Name]]:
    names, paper = {}, {}
    for line in _lines("names.tsv")[1:]:
        text, group, gender, in_paper, left_alone = line.split("\t")
        if not left_alone:
            names[text.lower()] = Name(text, group, gender)
        if in_paper == "1":
            paper[text.lower()] = Name(text, group, gender)
    return names, paper


def _cells(names: Mapping[str, Name]) -> dict[tuple[str, str], tuple[Name, ...]]:
    cells: dict[tuple[str, str], list[Name]] = {}
    for name in names.values():
        cells.setdefault((name.group, name.gender), []).append(name)
    return {cell: tuple(members) for cell, members in cells.items()}


def _partners() -> dict[str, tuple[str, Gender]]:
    partners: dict[str, tuple[str, Gender]] = {}
    for line in _lines("gendered_words.tsv")[1:]:
        masculine, feminine, direction = line.split("\t")
        if direction != "to_masculine":
            partners[masculine] = (feminine, "female")
        if direction != "to_feminine":
            partners[feminine] = (masculine, "male")
    return partners


def _phrases(partners: Mapping[str, object]) -> dict[str, tuple[Phrase, ...]]:
    phrases: dict[str, list[Phrase]] = {}
    pronouns = {"her", "his", "him", "hers"}
    for line in _lines("fixed_phrases.txt"):
        words = tuple(match.group() for match in WORD.finditer(line))
        for position, word in enumerate(words):
            if word in partners or word in pronouns:
                phrases.setdefault(word, []).append(Phrase(words[:position], words[position + 1 :]))
    return {word: tuple(found) for word, found in phrases.items()}


def _classes() -> dict[str, frozenset[str]]:
    classes: dict[str, set[str]] = {}
    for line in _lines("word_classes.txt"):
        name, _, words = line.partition(":")
        classes.setdefault(name, set()).update(words.split())
    return {name: frozenset(words) for name, words in classes.items()}
