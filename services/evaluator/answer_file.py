"""A file of predictions in a prediction-only submission: JSON lines with the dataset's example ids, in any order."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from dynaboard.contract import Answer, BrokenContract, read_answers
from dynaboard.errors import ModelFailure, readable
from dynaboard.nlp_tasks import Task
from services.evaluator.recording import Source

LINE_BYTES = 1024**2
BATCH = 500


def answers_in(
    path: Path, task: Task, examples: Iterable[Mapping[str, Any]], count: int, *, numbered: bool = False
) -> Source:
    """The answers in a file, in the order of the `count` examples and checked like a model's.

    `numbered`: the file names the examples by their numbers from 0, as they were handed out.
    Only where each line begins is kept in memory, of no more lines than there are examples. Raises ModelFailure unless
    the file answers every example once and nothing else.
    """

    async def source(first: int) -> AsyncGenerator[list[Answer]]:
        with path.open("rb") as file:
            places = await asyncio.to_thread(_index, file, path.name, count)
            remaining, position = iter(examples), 0
            while batch := list(itertools.islice(remaining, BATCH)):
                placed = list(enumerate(batch, position))
                names = [(str(n) if numbered else str(example["id"]), n) for n, example in placed]
                answers = [_answer(file, places, named, f"{path.name}, number {n + 1}") for named, n in names]
                wire = [{**answer, "id": str(number)} for number, answer in enumerate(answers, position)]
                checked = _checked(task, batch, wire, position, named=not numbered)
                yield checked[max(first - position, 0) :]
                position += len(batch)
            if places:
                raise ModelFailure(f"{path.name} answers {next(iter(places))!r}, which is no example of the dataset.")

    return source


def _checked(
    task: Task, batch: list[Mapping[str, Any]], wire: list[dict[str, Any]], position: int, *, named: bool
) -> list[Answer]:
    """Raises ModelFailure naming the example by its id if its submitter has sent it; others do not get to know it."""
    try:
        return read_answers(task, batch, wire, position)
    except BrokenContract as failure:
        number = failure.position + 1
        where = f"example {readable(failure.example_id)} (number {number})" if named else f"example number {number}"
        raise ModelFailure(f"{where}: {failure.complaint}.") from None


def _index(file: BinaryIO, name: str, most: int) -> dict[str, int]:
    """Where the line of each example id begins. Raises ModelFailure for a line that is no answer, or too many lines."""
    places: dict[str, int] = {}
    start = number = 0
    while line := file.readline(LINE_BYTES):
        number += 1
        if line.strip():
            identifier = _parsed(line, f"{name}, line {number}")["id"]
            if identifier in places:
                raise ModelFailure(f"{name}, line {number}: the example {identifier!r} is answered twice.")
            places[identifier] = start
            if len(places) > most:
                raise ModelFailure(f"{name} answers more than the {most:,} examples of the dataset; remove the others.")
        start += len(line)
    return places


def _answer(file: BinaryIO, places: dict[str, int], name: str, where: str) -> dict[str, Any]:
    """The answer to one example, taken out of the index."""
    place = places.pop(name, None)
    if place is None:
        # Not its id, which in SNLI and MultiNLI ends in the label's letter.
        raise ModelFailure(f"{where}: this example of the dataset has no answer; every example needs one.")
    file.seek(place)
    return _parsed(file.readline(LINE_BYTES), where)


def _parsed(line: bytes, where: str) -> dict[str, Any]:
    if len(line) == LINE_BYTES:
        raise ModelFailure(f"{where} is longer than {LINE_BYTES // 1024} KiB; an answer is a few words.")
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise ModelFailure(f"{where} is not JSON; write one object a line.") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("id"), str):
        raise ModelFailure(f'{where} must be an object with an "id", that of the example.')
    return answer
