"""Edits of a text: what makes a perturbed copy out of an example, with positions mapped both ways. Pure.

All positions are numbers of characters (code points). An edit speaks of the original text of one input field.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace text[start:end] by `text`; start == end inserts, an empty `text` deletes."""

    start: int
    end: int
    text: str


# The edits of each changed input field: sorted, and no two overlap.
Edits = Mapping[str, tuple[Edit, ...]]


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
    position, was_insertion = 0, False
    for start, end, _ in edits:
        if not position <= start <= end or (was_insertion and start == end == position):
            raise ValueError(f"The edit at {start}:{end} is out of order or overlaps the one before, up to {position}.")
        position, was_insertion = end, start == end
    if position > len(text):
        raise ValueError(f"The edit up to {position} is outside a text of {len(text)} characters.")


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
    the perturbed text as it stands is looked for without regard to case and blanks, as models may lose both; one that
    is not there at all stands for itself, and so does one that the edits leave alone.
    """
    perturbed, back = apply_edits(text, edits), inverse(text, edits)
    spans = [(start, start + len(answer)) for start in occurrences(perturbed, answer)]
    if not spans and answer.strip():
        loose = re.compile(r"\s+".join(map(re.escape, answer.split())), re.IGNORECASE)
        spans = [match.span() for match in loose.finditer(perturbed)]
    readings = dict.fromkeys(text[slice(*map_span(back, *span))] for span in spans)
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


def as_json(edits: Edits) -> dict[str, list[list[int | str]]]:
    """Edits as an artefact keeps them: {field: [[start, end, text], …]}."""
    return {field: [list(edit) for edit in changes] for field, changes in sorted(edits.items())}


def from_json(stored: Mapping[str, Sequence[Sequence[int | str]]]) -> dict[str, tuple[Edit, ...]]:
    """The edits that `as_json` wrote."""
    return {
        field: tuple(Edit(int(start), int(end), str(text)) for start, end, text in changes)
        for field, changes in stored.items()
    }
