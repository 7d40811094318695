"""What no perturbation may touch: markup, addresses, names of accounts, and (for some) the answers of a question. Pure.

A misspelt URL is a broken URL and a misspelt entity is garbage, so a change of prediction there says nothing about a
model's robustness.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from services.evaluator.perturbations.edits import Edit, Example, occurrences

Span = tuple[int, int]
Spans = tuple[Span, ...]

# What stands in every text with such markup, and the markup: most texts have none of these signs, few have two.
DOMAINS = r"(?:com|org|net|edu|gov|info|io|tv|co\.uk|de|fr)\b"
MARKUP = {
    re.compile("<"): r"</?[A-Za-z][^<>\n]{0,200}>|<!--.*?-->",  # HTML tags and comments
    re.compile("&"): r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]{1,30});",  # HTML entities
    re.compile(r"://|www\."): r"""(?:[A-Za-z][A-Za-z0-9+.-]{1,9}://|www\.)[^\s<>"]+""",  # URLs
    re.compile("@"): r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",  # e-mail addresses
    re.compile(rf"\.{DOMAINS}"): rf"""\b[\w-]+(?:\.[\w-]+)*\.{DOMAINS}(?:/[^\s<>"]*)?""",  # bare domains
    re.compile("[@#]"): r"(?<!\w)[@#]\w+",  # @accounts and #tags
    re.compile("`"): r"(?<!`)`[^`'\n]{1,200}`(?!`)",  # code
    re.compile(r"\{"): r"\{\{?\w+\}\}?",  # placeholders of templates
    re.compile("B-"): "-[LR][RSC]B-",  # a bracket in a treebank
}
# Where this finds nothing, none of the signs is there.
ANY_SIGN = re.compile(rf"[<&@#`{{]|\.{DOMAINS}")
# The longest list of places at which an answer is looked for: "a" may be an answer, and be everywhere.
MAX_PLACES = 200


@lru_cache(maxsize=32)
def markup_spans(text: str) -> Spans:
    """The pieces of markup, in order."""
    if ANY_SIGN.search(text) or "://" in text or "www." in text or "B-" in text:
        present = tuple([markup for sign, markup in MARKUP.items() if sign.search(text)])
        return tuple([match.span() for match in _any_of(present).finditer(text)])
    return ()


@cache
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or r"(?!)", re.DOTALL)


def answer_spans(context: str, answer: str) -> list[Span]:
    """Where an answer stands in its context: as whole words if it does anywhere, else as characters.

    MRQA's answers may differ from the passage in case and blanks; so they are looked for less and less strictly.
    """
    length = len(answer)
    exact = [(start, start + length) for start in occurrences(context, answer)[:MAX_PLACES]]
    whole = [span for span in exact if _is_whole(context, span)]
    if whole or exact:
        return whole or exact
    loose = re.compile(r"\s+".join(map(re.escape, answer.split())), re.IGNORECASE)
    spans = [match.span() for _, match in zip(range(MAX_PLACES), loose.finditer(context), strict=False)]
    return [span for span in spans if _is_whole(context, span)] or spans


@lru_cache(maxsize=16)
def _all_answer_spans(context: str, answers: tuple[str, ...]) -> Spans:
    return tuple(sorted({span for answer in set(answers) for span in answer_spans(context, answer)}))


def protected_spans(example: Example, field: str) -> Spans:
    """Markup and, in the context of a qa example, every place of an accepted answer. Sorted; may overlap."""
    text: str = example[field]
    markup = markup_spans(text)
    if field != "context" or "answers" not in example:
        return markup
    answers = _all_answer_spans(text, tuple(example["answers"]))
    return tuple(sorted({*markup, *answers})) if markup else answers


def touches(edit: Edit, spans: Iterable[Span]) -> bool:
    """Whether an edit changes something inside one of the spans; an insertion at an edge does not."""
    return any(edit.start < end and edit.end > start for start, end in spans)


def outside(spans: Sequence[Span], length: int) -> list[Span]:
    """The pieces of a text of `length` characters between sorted spans."""
    pieces, position = [], 0
    for start, end in (*spans, (length, length)):
        if start > position:
            pieces.append((position, start))
        position = max(position, end)
    return pieces


def _is_whole(text: str, span: Span) -> bool:
    start, end = span
    opens = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    closes = end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())
    return opens and closes
