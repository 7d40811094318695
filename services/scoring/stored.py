"""Reads what the evaluator stored: a dataset's references (gzip of JSON lines) and a model's predictions (Parquet)."""

import gzip
import json
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import Task
from services.scoring.board import FloatArray, IntArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.coded import Coded, Codes

ROWS_AT_ONCE = 65_536


@dataclass(frozen=True)
class References:
    """What is right in a dataset, in its order: the ids, the accepted answers, the places of each tag."""

    ids: pa.ChunkedArray
    accepted: Coded[tuple[str, ...]]
    tags: Mapping[str, IntArray]

    @cached_property
    def positions(self) -> dict[str, int]:
        """The place of each id: made only for predictions that do not stand in the dataset's order."""
        return {identifier: place for place, identifier in enumerate(self.ids.to_pylist())}


def read_references(stream: BinaryIO, task: Task) -> References:
    """Stream a dataset and keep its ids, references and tags; the texts are dropped line by line."""
    values: dict[tuple[str, ...], int] = {}
    codes = array("i")
    tags: defaultdict[str, array[int]] = defaultdict(lambda: array("i"))
    chunks: list[pa.Array] = []
    ids: list[str] = []
    for position, example in enumerate(read_examples(stream)):
        codes.append(values.setdefault(task.accepted(example), len(values)))
        for tag in example.get("tags", ()):
            tags[tag].append(position)
        ids.append(example["id"])
        if len(ids) == ROWS_AT_ONCE:
            chunks.append(pa.array(ids, pa.string()))
            ids = []
    chunks.append(pa.array(ids, pa.string()))
    places = {tag: np.frombuffer(rows, dtype=np.int32).astype(np.int64) for tag, rows in tags.items()}
    return References(pa.chunked_array(chunks), Coded(list(values), np.frombuffer(codes, dtype=np.int32)), places)


def read_answers(predictions: Path, references: References, task: Task) -> Answers:
    """Stream a Parquet file of predictions into the order of the references, as numbers: memory for each example is
    bounded, whatever its texts.

    Raises PlatformFailure unless there is exactly one prediction for each example: the evaluator has checked that.
    """
    count = len(references.accepted)
    codes, values = np.full(count, -1, dtype=np.int32), dict[str, int]()
    with pq.ParquetFile(predictions) as file:
        wanted = [f"prob_{label}" for label in task.labels] or ["conf"]
        numbers = wanted if set(wanted) <= set(file.schema_arrow.names) else []
        scores = np.full((count, len(numbers)), np.nan)
        at = 0
        for batch in file.iter_batches(ROWS_AT_ONCE, columns=["id", task.answer_field, *numbers]):
            rows = _places(batch["id"], at, references)
            if (codes[rows] >= 0).any() or len(np.unique(rows)) < len(rows):
                raise PlatformFailure("The stored predictions hold an example twice.")
            codes[rows] = _codes(batch[task.answer_field], values)
            for column, name in enumerate(numbers):
                scores[rows, column] = batch[name].cast(pa.float64()).to_numpy(zero_copy_only=False)
            at += len(batch)
    if lacking := int((codes < 0).sum()):
        raise PlatformFailure(f"The stored predictions lack {lacking} of {count} examples.")
    complete: FloatArray | None = scores if numbers and not np.isnan(scores).any() else None
    given = Coded(list(values), codes)
    if task.labels:
        return Answers(given, references.accepted, task.labels, probabilities=complete)
    return Answers(given, references.accepted, confidences=None if complete is None else complete[:, 0])


def _codes(column: pa.Array, values: dict[str, int]) -> Codes:
    """The numbers of a column's values; new ones are added to `values`."""
    encoded = column.dictionary_encode()
    table = [values.setdefault(value, len(values)) for value in encoded.dictionary.to_pylist()]
    codes: Codes = np.array(table, dtype=np.int32)[encoded.indices.to_numpy(zero_copy_only=False)]
    return codes


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


def _places(ids: pa.Array, at: int, references: References) -> IntArray:
    """Where the examples of these ids stand: from `at` on, as the evaluator stores them, or anywhere."""
    expected = references.ids.slice(at, len(ids))
    if len(expected) == len(ids) and pc.all(pc.equal(expected, ids)).as_py():
        return np.arange(at, at + len(ids))
    try:
        return np.array([references.positions[identifier] for identifier in ids.to_pylist()], dtype=np.int64)
    except KeyError as missing:
        raise PlatformFailure(f"The stored predictions name an example {missing} that the dataset lacks.") from None
