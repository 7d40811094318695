"""Finds an answer without having learnt anything: the phrase of the right type nearest to the question's words.

In the spirit of the sliding-window baselines of Richardson et al. (2013) and Rajpurkar et al. (2016).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

TOKEN = re.compile(r"(?:Mr|Mrs|Ms|Dr|St)\.|\d[\d,.]*\d|\w+(?:[-'’]\w+)*|[^\w\s]")
SENTENCE_END = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)(?<!\b[A-Z])[.!?][\"'”]?\s+(?=[\"'“]?[A-Z0-9])")

_PREPOSITIONS = """
    about above across after against among around as at before behind below between by during for from in into near of
    on over per since than through to under until with within without
"""
_FUNCTION_WORDS = """
    also although am and are be because been being but can could did do does each even had has have he he's him how i
    if is it it's just long many may me might much must no nor not often only or other shall she she's should so still
    such that them then there these they they're this those though too us very was we were what when where whether
    which while who whom whose why will would you
"""
ARTICLES = frozenset(("a", "an", "the"))
OWNERS = frozenset(("his", "her", "its", "their", "my", "our", "your"))
PREPOSITIONS = frozenset(_PREPOSITIONS.split())
STOP_WORDS = ARTICLES | OWNERS | PREPOSITIONS | frozenset(_FUNCTION_WORDS.split())

NUMBER = re.compile(
    r"\d[\d,.]*\w{0,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|half|dozen|"
    r"(twen|thir|for|fif|six|seven|eigh|nine)ty(-\w+)?|hundred|thousand|million|billion",
    re.I,
)
TIME = re.compile(
    r"1\d{3}s?|20\d\ds?|noon|midnight|sunset|sunrise|century|spring|summer|autumn|winter|(mon|tues|wednes|thurs|fri|satur|sun)days?|"
    r"january|february|march|april|may|june|july|august|september|october|november|december",
    re.I,
)
QUESTION_TYPES = {
    "number": r"\bhow (many|much|long|old|far|tall|deep|high|large|big|fast|often|wide|heavy)\b|percent|\bage\b",
    "time": r"^when\b|\b(what|which) (year|day|date|month|time|century|decade|season)\b",
    "name": r"\b(who|whom|whose)\b|\b(what|which) (person|man|woman|team|company|group|organization)\b",
    "place": r"\bwhere\b|\b(what|which) (place|city|country|town|state|river)\b",
}


@dataclass(frozen=True)
class Token:
    """A word or a mark: its text, where it lies in the context, and its stem."""

    text: str
    start: int
    end: int
    stem: str


Span = tuple[int, int]
"""The first token of a phrase and the one after its last, as positions in its sentence."""


def tokens(text: str, offset: int = 0) -> list[Token]:
    """The words and marks of `text`, which begins at `offset` of the whole."""
    return [
        Token(found[0], offset + found.start(), offset + found.end(), stem(found[0])) for found in TOKEN.finditer(text)
    ]


def stem(word: str) -> str:
    """Enough of a stem to match `opened` with `opens`; not enough to be always right."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    return re.sub(r"(?<=\w{3})(ies|ied|ing|ed|es|s|e|y)$", "", word)


def sentences(context: str) -> Iterator[list[Token]]:
    """The context's sentences, as tokens."""
    ends = [*(found.end() for found in SENTENCE_END.finditer(context)), len(context)]
    for start, end in zip([0, *ends], ends, strict=False):
        yield tokens(context[start:end], start)


def phrases(sentence: list[Token], asked: set[str]) -> list[Span]:
    """Candidate answers: runs of words that are no function words and not the question's; also joined by of/and."""
    runs: list[Span] = []
    start = 0
    for position, token in enumerate([*sentence, Token(".", 0, 0, ".")]):
        named = token.text[0].isupper() and position > 0
        if token.text[0].isalnum() and token.text.lower() not in STOP_WORDS and (named or token.stem not in asked):
            continue
        if start < position:
            runs.append((_with_article(sentence, start), position))
        start = position + 1
    joined = list(runs)
    for left, right in pairwise(runs):
        if [token.text for token in sentence[left[1] : right[0]]] in (["of"], ["and"]):
            earlier = [span[0] for span in joined if span[1] == left[1]]
            joined += [(first, right[1]) for first in earlier]
    return joined


def _with_article(sentence: list[Token], start: int) -> int:
    return start - 1 if start and sentence[start - 1].text.lower() in ARTICLES | OWNERS else start


def narrowed(sentence: list[Token], span: Span, wanted: str) -> Span:
    """Where a number or a time is wanted, the phrase from its first figure on."""
    first, last = span
    figures = [i for i in range(first, last) if NUMBER.fullmatch(sentence[i].text) or TIME.fullmatch(sentence[i].text)]
    return (figures[0], last) if figures and wanted in ("number", "time") else span


def nearness(sentence: list[Token], span: Span, asked: set[str]) -> float:
    """Mean over the question's words: 0 for one that the sentence lacks, 1 to 2 for one in it, the nearer the more."""
    first, last = span
    nearest: dict[str, int] = {}
    for position, token in enumerate(sentence):
        if token.stem in asked:
            distance = max(first - position, position - last + 1, 0)
            nearest[token.stem] = min(distance, nearest.get(token.stem, distance))
    return sum(1 + 1 / max(distance, 1) for distance in nearest.values()) / max(len(asked), 1)


def fits(sentence: list[Token], span: Span, wanted: str) -> float:
    """1 where the phrase may be an answer of the wanted type, 0 where it cannot, between where there is no telling."""
    first, last = span
    words = [token.text for token in sentence[first:last]]
    before = sentence[first - 1].text.lower() if first else ""
    counts = any(NUMBER.fullmatch(word) for word in words)
    dates = any(TIME.fullmatch(word) for word in words)
    named = any(word[0].isupper() and word.lower() not in STOP_WORDS for word in words) and not dates
    by_type = {
        "number": float(counts and not dates),
        "time": float(dates) or 0.4 * counts,
        "name": float(named) or 0.4 * (words[0].lower() in OWNERS),
        "place": 0.5 * (before in PREPOSITIONS) + 0.5 * named,
    }
    return by_type.get(wanted, 0.5 * (not dates and not counts))


def repeats(sentence: list[Token], span: Span, asked: set[str]) -> float:
    """The share of the phrase's words that the question holds already."""
    words = [token for token in sentence[slice(*span)] if token.text.lower() not in STOP_WORDS]
    return sum(token.stem in asked for token in words) / max(len(words), 1)


class Handler:
    """The class the platform loads."""

    def load(self, model_dir: str) -> None:
        self.types = {kind: re.compile(pattern, re.I) for kind, pattern in QUESTION_TYPES.items()}

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        return [self._answer(example) for example in examples]

    def _answer(self, example: dict[str, str]) -> dict[str, Any]:
        context, question = example["context"], example["question"]
        asked = {
            token.stem for token in tokens(question) if token.text.lower() not in STOP_WORDS and token.text[0].isalnum()
        }
        wanted = next((kind for kind, pattern in self.types.items() if pattern.search(question)), "thing")
        best, answer = 0.0, context
        for sentence in sentences(context):
            for phrase in phrases(sentence, asked):
                first, last = span = narrowed(sentence, phrase, wanted)
                score = nearness(sentence, span, asked) + fits(sentence, span, wanted) - repeats(sentence, span, asked)
                if score > best:
                    best, answer = score, context[sentence[first].start : sentence[last - 1].end]
        return {"id": example["id"], "answer": answer, "conf": min(best / 3, 1.0)}
