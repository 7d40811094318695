"""What a perturbation is made of: edits of the original text, never a text put together again from tokens. Pure.

All positions are numbers of characters (code points). An edit speaks of the original text of one input field.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal, NamedTuple

from dynaboard.nlp_tasks import Task

# A stored example (services.evaluator.datasets.canonical); only its id and its input fields (qa: and answers) are read.
Example = Mapping[str, Any]
Suite = Literal["robustness", "fairness"]


class Edit(NamedTuple):
    """Replace text[start:end] by `text`; start == end inserts, an empty `text` deletes."""

    start: int
    end: int
    text: str


# The edits of each changed input field: sorted, and no two overlap.
Edits = Mapping[str, tuple[Edit, ...]]


@dataclass(frozen=True)
class Variant:
    """One perturbed form of an example.

    `kind` is what was done ("Keyboard", "name_gender"), `group` between whom ("black-white"; "" where there is nobody).
    """

    kind: str
    group: str
    edits: Edits


Propose = Callable[[Task, Example, Random], Sequence[Edits | Variant]]


@dataclass(frozen=True)
class Perturbation:
    """A named way of changing examples; `version` grows when the same seed no longer gives the same edits.

    `propose` is a pure function of its arguments. It may return nothing, and edits alone stand for a Variant of the
    perturbation's own name. Of the Random only `random()` may be used: it alone is the same in every Python version.
    """

    name: str
    suite: Suite
    version: int
    propose: Propose


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The perturbed text. The edits must be sorted and must not overlap (`check_edits`)."""
    parts, position = [], 0
    for start, end, replacement in edits:
        parts.append(text[position:start])
        parts.append(replacement)
        position = end
    parts.append(text[position:])
    return "".join(parts)


def check_edits(text: str, edits: Sequence[Edit]) -> None:
    """Raise ValueError unless the edits lie inside the text, are sorted and do not overlap."""
    position, last = 0, (-1, -1)
    for edit in edits:
        place = (edit.start, edit.end)
        if not position <= edit.start <= edit.end <= len(text) or place <= last:
            raise ValueError(f"{edit} is outside a text of {len(text)} characters, out of order or overlaps {last}")
        position, last = edit.end, place


def map_span(edits: Iterable[Edit], start: int, end: int) -> tuple[int, int]:
    """Where text[start:end] lies after the edits.

    An edit that is only partly inside the span counts as inside, as its text cannot be divided. What is inserted at the
    span's first or last position stays outside.
    """
    low, high, before, inside = start, end, 0, 0
    for edit in edits:
        growth = len(edit.text) - (edit.end - edit.start)
        if edit.start < end and edit.end > start:
            low, high = min(low, edit.start), max(high, edit.end)
            inside += growth
        elif edit.end <= start:
            before += growth
    return low + before, high + before + inside


def inverse(text: str, edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits of the perturbed text that give `text` back."""
    result, shift = [], 0
    for start, end, replacement in edits:
        result.append(Edit(start + shift, start + shift + len(replacement), text[start:end]))
        shift += len(replacement) - (end - start)
    return tuple(result)


def to_original(text: str, edits: Sequence[Edit], answer: str) -> list[str]:
    """What a piece of the perturbed text is called in the original `text`: one spelling for each way to read it.

    For qa: the prediction on a variant equals that on the original when one of these equals it. A piece that is not in
    the perturbed text stands for itself; so does one that the edits leave alone.
    """
    perturbed, back = apply_edits(text, edits), inverse(text, edits)
    readings: dict[str, None] = {}
    for start in occurrences(perturbed, answer):
        first, last = map_span(back, start, start + len(answer))
        readings[text[first:last]] = None
    return list(readings) or [answer]


def map_answers(text: str, edits: Sequence[Edit], answer: str, spans: Iterable[tuple[int, int]]) -> list[str]:
    """What an answer is called in the perturbed text, one spelling for each way its `spans` in `text` were edited."""
    perturbed = apply_edits(text, edits)
    mapped = (map_span(edits, start, end) for start, end in spans)
    return list(dict.fromkeys(perturbed[start:end] for start, end in mapped)) or [answer]


def occurrences(text: str, piece: str) -> list[int]:
    """Where `piece` begins in `text`; overlapping places count."""
    found, position = [], text.find(piece) if piece else -1
    while position >= 0:
        found.append(position)
        position = text.find(piece, position + 1)
    return found
