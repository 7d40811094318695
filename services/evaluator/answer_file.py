"""A file of predictions in a prediction-only submission: JSON lines with the dataset's example ids, in any order."""

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from dynaboard.contract import Answer, read_answers
from dynaboard.errors import ModelFailure
from dynaboard.nlp_tasks import Task
from services.evaluator.recording import Source

LINE_BYTES = 1024**2
BATCH = 500


def answers_in(path: Path, task: Task, examples: Iterable[Mapping[str, Any]]) -> Source:
    """The answers in a file, in the order of the examples and checked like a model's.

    Only where each line begins is kept in memory. Raises ModelFailure unless the file answers every example once and
    nothing else.
    """

    async def source(first: int) -> AsyncGenerator[list[Answer]]:
        with path.open("rb") as file:
            places = await asyncio.to_thread(_index, file, path.name)
            remaining, position = iter(examples), 0
            while batch := list(itertools.islice(remaining, BATCH)):
                answers = [_answer(file, places, example, path.name) for example in batch]
                wire = [{**answer, "id": str(number)} for number, answer in enumerate(answers, position)]
                checked = read_answers(task, batch, wire, position)
                yield checked[max(first - position, 0) :]
                position += len(batch)
            if places:
                raise ModelFailure(f"{path.name} answers {next(iter(places))!r}, which is no example of the dataset.")

    return source


def _index(file: BinaryIO, name: str) -> dict[str, int]:
    """Where the line of each example id begins. Raises ModelFailure for a line that is no answer."""
    places: dict[str, int] = {}
    start = number = 0
    while line := file.readline(LINE_BYTES):
        number += 1
        if line.strip():
            identifier = _parsed(line, f"{name}, line {number}")["id"]
            if identifier in places:
                raise ModelFailure(f"{name}, line {number}: the example {identifier!r} is answered twice.")
            places[identifier] = start
        start += len(line)
    return places


def _answer(file: BinaryIO, places: dict[str, int], example: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The answer to one example, taken out of the index."""
    place = places.pop(example["id"], None)
    if place is None:
        raise ModelFailure(f"{name} has no answer for the example {example['id']!r}; every example needs one.")
    file.seek(place)
    return _parsed(file.readline(LINE_BYTES), name)


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
