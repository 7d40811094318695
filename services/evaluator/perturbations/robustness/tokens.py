"""The words of a text with their places, counted as TextFlint counts them (spaCy's English tokens, nearly). Pure."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import accumulate, compress

from services.evaluator.perturbations.protected import Spans
from services.evaluator.perturbations.robustness.options import MOST_WORDS, Options

# (text, protected spans): the places in tokens(text) of the words that may be changed
Eligible = Callable[[str, Spans], list[int]]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Abbreviations with points, words and numbers, clitics ('s, and don't as don + 't), runs of points, other signs.
PARTS = r"\w+(?:[.,:]\d+)*|['’]\w{1,2}\b|\.{2,}|[^\w\s]"
TOKEN = re.compile(rf"((?:\w\.){{2,}}|{PARTS})")
# Most texts have no abbreviation, and without looking for one they are split in half the time.
ABBREVIATED = re.compile(r"\.\w\.")
PLAIN_TOKEN = re.compile(f"({PARTS})")
# TextFlint's stop list. Case counts: "in" is one and "IN" is not; so do not "was", "to" and "not" stand here.
STOP_WORDS = _set(
    "I my My mine you your You Your He he him Him His his She she her Her It it They they Their their am Am are Are "
    "is Is and And or nor A a an an the The have Have has Has in In by By on On of Of at At from From"
)
NEGATIONS = _set("not no nor none never nothing nobody nowhere neither cannot without hardly")
# What is left of isn't and the like without 't; of can't and won't the rest is a word.
STEMS = _set("ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren wouldn")


# Upper-case words of up to so many letters are taken for acronyms, unless the whole text is in upper case.
ACRONYM = 4
# What is longer is no word, and left alone: misspellings of one of n letters take n² bytes, and words are remembered.
LONGEST_WORD = 100


@lru_cache(maxsize=32)
def tokens(text: str) -> tuple[list[str], list[int]]:
    """The text in pieces, and where each ends: what stands between tokens, a token, what stands between, …"""
    pieces = (TOKEN if ABBREVIATED.search(text) else PLAIN_TOKEN).split(text)
    return pieces, list(accumulate(map(len, pieces)))


@cache
def eligible_words(options: Options) -> Eligible:
    """What finds the words that Keyboard, Ocr, SpellingError and Typos may change, outside protected spans."""
    kept = set(STOP_WORDS)
    for group in (NEGATIONS if options.keep_negation else (), () if options.edit_clitics else STEMS):
        kept.update(form for word in group for form in (word, word.capitalize(), word.upper()))
    longest_left = options.min_char - 1

    def is_other_candidate(piece: str) -> bool:
        if piece[0].isalnum():
            return not options.keep_codes
        return options.edit_clitics and piece[0] in "'’"

    @lru_cache(maxsize=MOST_WORDS)
    def may_change(piece: str) -> bool:
        return len(piece) > longest_left and piece not in kept and (piece.isalpha() or is_other_candidate(piece))

    @lru_cache(maxsize=MOST_WORDS)
    def may_change_among_small(piece: str) -> bool:
        return may_change(piece) and (len(piece) > ACRONYM or not piece.isupper())

    @lru_cache(maxsize=32)
    def find(text: str, protected: Spans) -> list[int]:
        pieces, ends = tokens(text)
        may = may_change_among_small if options.keep_codes and not text.isupper() else may_change
        words = pieces[1::2]
        if words and len(max(words, key=len)) > LONGEST_WORD:
            words = [word if len(word) <= LONGEST_WORD else "" for word in words]
        found = list(compress(range(1, len(pieces), 2), map(may, words)))
        return [index for index in found if not _is_in(protected, ends[index - 1], ends[index])] if protected else found

    return find


def _is_in(spans: Spans, first: int, last: int) -> bool:
    return any(first < end and last > start for start, end in spans)
