"""Reads what the evaluator stored: a dataset's references (gzip of JSON lines) and a model's predictions (Parquet)."""

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import Task
from services.scoring.board import FloatArray
from services.scoring.metrics.answers import Answers


@dataclass
class References:
    """What is right in a dataset, in its order: the place of each id, the accepted answers, the places of each tag."""

    positions: dict[str, int] = field(default_factory=dict)
    accepted: list[tuple[str, ...]] = field(default_factory=list)
    tags: dict[str, list[int]] = field(default_factory=dict)


def read_references(stream: BinaryIO, task: Task) -> References:
    """Stream a dataset and keep its ids, references and tags; the texts are dropped line by line."""
    references = References()
    for position, example in enumerate(read_examples(stream)):
        references.positions[example["id"]] = position
        references.accepted.append(task.accepted(example))
        for tag in example.get("tags", ()):
            references.tags.setdefault(tag, []).append(position)
    return references


def read_answers(predictions: Path, references: References, task: Task) -> Answers:
    """Stream a Parquet file of predictions into the order of the references.

    Raises PlatformFailure unless there is exactly one prediction for each example: the evaluator has checked that.
    """
    count = len(references.accepted)
    answers: list[str | None] = [None] * count
    with pq.ParquetFile(predictions) as file:
        wanted = [f"prob_{label}" for label in task.labels] or ["conf"]
        numbers = wanted if set(wanted) <= set(file.schema_arrow.names) else []
        scores = np.full((count, len(numbers)), np.nan)
        for batch in file.iter_batches(columns=["id", task.answer_field, *numbers]):
            rows = _places(batch["id"].to_pylist(), references)
            for row, answer in zip(rows, batch[task.answer_field].to_pylist(), strict=True):
                if answers[row] is not None:
                    raise PlatformFailure("The stored predictions hold an example twice.")
                answers[row] = answer
            for column, name in enumerate(numbers):
                scores[rows, column] = batch[name].cast(pa.float64()).to_numpy(zero_copy_only=False)
    given = [answer for answer in answers if answer is not None]
    if len(given) != count:
        raise PlatformFailure(f"The stored predictions lack {count - len(given)} of {count} examples.")
    complete: FloatArray | None = scores if numbers and not np.isnan(scores).any() else None
    if task.labels:
        return Answers(given, references.accepted, task.labels, probabilities=complete)
    return Answers(given, references.accepted, confidences=None if complete is None else complete[:, 0])


def read_predictions(predictions: Path, task: Task) -> dict[str, str]:
    """The label or answer predicted for each id. Raises PlatformFailure when an id occurs twice."""
    found: dict[str, str] = {}
    with pq.ParquetFile(predictions) as file:
        for batch in file.iter_batches(columns=["id", task.answer_field]):
            found.update(zip(batch["id"].to_pylist(), batch[task.answer_field].to_pylist(), strict=True))
        if len(found) != file.metadata.num_rows:
            raise PlatformFailure("The stored predictions hold a variant twice.")
    return found


def read_examples(stream: BinaryIO) -> Iterator[dict[str, Any]]:
    """The examples of a stored dataset, one at a time."""
    with gzip.open(stream) as lines:
        for line in lines:
            yield json.loads(line)


def _places(ids: Iterable[str], references: References) -> list[int]:
    try:
        return [references.positions[identifier] for identifier in ids]
    except KeyError as missing:
        raise PlatformFailure(f"The stored predictions name an example {missing} that the dataset lacks.") from None
