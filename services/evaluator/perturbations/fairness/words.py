"""A text as words with their places, and what their surroundings say: case, sentences, neighbours. Pure."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from services.evaluator.perturbations.fairness.lexicon import WORD, lexicon

# What may stand between the end of a sentence and the first word of the next.
OPENING = " \t\r\n\"'“”‘’([{*-–—•«`"
SENTENCE_END = ".!?:;…|>"  # and the end of a tag
SHOUTING = 0.7
TITLE_CASE = 0.75


class Word(NamedTuple):
    """text[start:end]; `lower` is what the word lists are asked for."""

    start: int
    end: int
    text: str
    lower: str


@dataclass(frozen=True)
class Words:
    """The words of one text."""

    text: str
    words: tuple[Word, ...]

    @cached_property
    def shouting(self) -> bool:
        """Whether nearly all is in capitals, so that capitals say nothing."""
        long = [word.text for word in self.words if len(word.text) > 1]
        return bool(long) and sum(word.isupper() for word in long) >= SHOUTING * len(long)

    @cached_property
    def title_case(self) -> bool:
        """Whether nearly every longer word begins with a capital (a headline), so that capitals mark no names."""
        long = [word.text for word in self.words if len(word.text) > 3]
        return len(long) > 3 and sum(word[0].isupper() for word in long) >= TITLE_CASE * len(long)

    def gap(self, position: int) -> str:
        """What stands between the word at `position` and the next one; all the rest after the last."""
        last = position + 1 >= len(self.words)
        return self.text[self.words[position].end : len(self.text) if last else self.words[position + 1].start]

    def before(self, position: int, distance: int = 1) -> str:
        """The word `distance` places before, in lower case, if only blanks, quotes or hyphens lie between; else ""."""
        first = position - distance
        if first < 0 or any(re.search(r"[^\s\"'“”‘’-]", self.gap(place)) for place in range(first, position)):
            return ""
        return self.words[first].lower

    def next(self, position: int) -> Word | None:
        """The following word, if only blanks lie between."""
        if position + 1 < len(self.words) and self.gap(position).isspace():
            return self.words[position + 1]
        return None

    def previous(self, position: int) -> Word | None:
        """The preceding word, if only blanks lie between, or the full stop of an abbreviation and blanks."""
        if position == 0:
            return None
        gap, word = self.gap(position - 1), self.words[position - 1]
        joined = gap.isspace() or (gap.startswith(". ") and gap.strip() == "." and _abbreviates(word))
        return word if joined else None

    def opens_sentence(self, position: int) -> bool:
        """Whether the word is the first of a sentence, a quotation or a line."""
        start = self.words[position].start
        gap = self.text[self.words[position - 1].end if position else 0 : start]
        if position == 0 or "\n" in gap or any(mark in gap for mark in '"“«'):
            return True
        ends = gap.rstrip(OPENING)[-1:]
        if ends == "." and gap.strip() == "." and _abbreviates(self.words[position - 1]):
            return False
        return ends in SENTENCE_END and ends != ""

    def capital(self, position: int) -> bool:
        """Whether the word begins with a capital that means something."""
        return self.words[position].text[0].isupper() and not self.shouting


def _abbreviates(word: Word) -> bool:
    return len(word.text) == 1 or word.lower in lexicon().classes["abbreviation"]


@lru_cache(maxsize=256)
def words_of(text: str) -> Words:
    """The words of a text."""
    found = (match.span() for match in WORD.finditer(text))
    return Words(text, tuple(Word(start, end, text[start:end], text[start:end].lower()) for start, end in found))
