"""The file of predictions: Parquet with an id, the answer, and what the model said of its probability."""

import io
from collections.abc import Sequence
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from dynaboard.contract import Answer
from dynaboard.task import Task

ROWS_AT_ONCE = 2_000


def schema(task: Task) -> pa.Schema:
    """The columns: id, the answer, and prob_<label> for each label, or conf; the last two may be null."""
    numbers = [f"prob_{label}" for label in task.labels] or ["conf"]
    texts = [pa.field("id", pa.string(), nullable=False), pa.field(task.answer_field, pa.string(), nullable=False)]
    return pa.schema([*texts, *(pa.field(name, pa.float64()) for name in numbers)])


def encode(task: Task, answers: Sequence[Answer]) -> bytes:
    """Answers as a Parquet file (zstd); the same answers give the same bytes."""
    columns: dict[str, list[object]] = {
        "id": [answer.id for answer in answers],
        task.answer_field: [answer.value for answer in answers],
    }
    for label in task.labels:
        columns[f"prob_{label}"] = [answer.prob[label] if answer.prob else None for answer in answers]
    if not task.labels:
        columns["conf"] = [answer.conf for answer in answers]
    sink = io.BytesIO()
    pq.write_table(pa.table(columns, schema=schema(task)), sink, compression="zstd")
    return sink.getvalue()


def numbered(file: BinaryIO, target: BinaryIO) -> None:
    """Copy predictions with the positions that the model saw for ids: a dataset's own ids may tell its labels.

    The result is a Parquet file too; memory: a batch of rows.
    """
    first, source = 0, pq.ParquetFile(file)
    with pq.ParquetWriter(target, source.schema_arrow, compression="zstd") as writer:
        for batch in source.iter_batches(ROWS_AT_ONCE):
            positions = pa.array([str(position) for position in range(first, first + batch.num_rows)])
            writer.write_batch(batch.set_column(0, source.schema_arrow.field("id"), positions))
            first += batch.num_rows
