"""Predictions in object storage: chunks while a dataset runs, one Parquet object when it is done."""

import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow.parquet as pq

from dynaboard.contract import Answer
from dynaboard.nlp_tasks import Task
from dynaboard.prediction_file import ROWS_AT_ONCE, encode, schema
from dynaboard.storage import Storage


def predictions_key(evaluation_id: str) -> str:
    """Where an evaluation's predictions lie when they are complete."""
    return f"predictions/{evaluation_id}.parquet"


@dataclass(frozen=True)
class Chunks:
    """The chunks of one running evaluation: part-00000, part-00001 … A chunk is stored whole or not at all."""

    storage: Storage
    task: Task
    evaluation_id: str

    def _key(self, number: int) -> str:
        return f"predictions/{self.evaluation_id}/part-{number:05d}.parquet"

    def _stored_keys(self) -> list[str]:
        """The keys of the stored chunks up to the first gap."""
        present = set(self.storage.keys(f"predictions/{self.evaluation_id}/"))
        keys: list[str] = []
        while self._key(len(keys)) in present:
            keys.append(self._key(len(keys)))
        return keys

    def stored(self) -> tuple[int, int]:
        """How many chunks are stored, and how many predictions they hold together."""
        keys = self._stored_keys()
        return len(keys), sum(pq.read_metadata(io.BytesIO(self.storage.get(key))).num_rows for key in keys)

    def write(self, number: int, answers: Sequence[Answer]) -> None:
        """Store one chunk."""
        self.storage.put(self._key(number), encode(self.task, answers))

    def merge(self, scratch: Path) -> tuple[str, int]:
        """Write all chunks into the final object, one chunk in memory at a time.

        `scratch` is a file to use on the way. Returns the object's sha256 and its number of predictions.
        """
        rows = 0
        with pq.ParquetWriter(scratch, schema(self.task), compression="zstd") as writer:
            for key in self._stored_keys():
                table = pq.read_table(io.BytesIO(self.storage.get(key)))
                writer.write_table(table)
                rows += table.num_rows
        with scratch.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self.storage.put_file(predictions_key(self.evaluation_id), scratch)
        scratch.unlink()
        return digest, rows

    def delete(self) -> None:
        """Remove the chunks; silence if they are gone."""
        for key in self.storage.keys(f"predictions/{self.evaluation_id}/"):
            self.storage.delete(key)


def json_lines(file: BinaryIO, task: Task) -> Iterator[bytes]:
    """A stored Parquet file as the lines a prediction-only submission holds."""
    for batch in pq.ParquetFile(file).iter_batches(ROWS_AT_ONCE):
        for row in batch.to_pylist():
            yield json.dumps(_line(row, task), ensure_ascii=False).encode() + b"\n"


def _line(row: dict[str, object], task: Task) -> dict[str, object]:
    line = {"id": row["id"], task.answer_field: row[task.answer_field]}
    if task.kind == "token-labels":
        line[task.answer_field] = str(row[task.answer_field]).split(" ")
    prob = {label: row[f"prob_{label}"] for label in task.labels}
    if prob and None not in prob.values():
        line["prob"] = prob
    if row.get("conf") is not None:
        line["conf"] = row["conf"]
    return line
