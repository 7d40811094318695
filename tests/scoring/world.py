"""Models, datasets, predictions and measurements in a real database and object store, made in a line each."""

import gzip
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from sqlalchemy import select

from dynaboard.database import Database
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import Dataset, Evaluation, Measurement, Model, Submission, Table, new_id

Answer = Mapping[str, Any]
HARDWARE = "a" * 64
Row = TypeVar("Row", bound=Table)


def digest_of(text: str) -> str:
    """Any text's sha256."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class World:
    """What the other services would have written."""

    database: Database
    storage: Storage

    def dataset(self, name: str, examples: Sequence[Answer], task: str = "sentiment", **columns: Any) -> Dataset:
        """A stored dataset; examples without id get their number."""
        lines = b"".join(
            json.dumps({"id": f"e{number}", "of": name, **example}).encode() + b"\n"
            for number, example in enumerate(examples)
        )
        digest = hashlib.sha256(lines).hexdigest()
        self.storage.put(dataset_key(digest), gzip.compress(lines))
        defaults = {"version": 1, "role": "scoring", "licence": "CC0-1.0", "citation": "", "labels": {}, "tags": {}}
        values = defaults | {"examples": len(examples), "size": len(lines), "created_by": "ada"} | columns
        return self.add(Dataset(task=task, name=name, digest=digest, **values))

    def submission(
        self, name: str, task: str = "sentiment", owner: str = "ada", version: int = 1, **columns: Any
    ) -> Submission:
        """A version of a model, made if it is new; columns of the model may be given beside the submission's."""
        of_model = {key: columns.pop(key) for key in ("anonymous", "published", "baseline", "id") if key in columns}
        with self.database.begin() as db:
            query = select(Model).where(Model.task == task, Model.owner == owner, Model.name == name)
            model = db.scalars(query).one_or_none()
        model = model or self.add(Model(task=task, owner=owner, name=name, **({"published": True} | of_model)))
        values = {"status": "predicted", "digest": digest_of(f"{owner}/{name}/{version}"), "manifest": {}} | columns
        return self.add(Submission(model_id=model.id, task=task, owner=owner, version=version, **values))

    def evaluation(
        self, submission: Submission, dataset: Dataset, answers: Sequence[Answer], **columns: Any
    ) -> Evaluation:
        """Stored predictions; answers without id get their number."""
        table = pa.Table.from_pylist([{"id": f"e{number}", **answer} for number, answer in enumerate(answers)])
        file = io.BytesIO()
        pq.write_table(table, file, compression="zstd")
        identifier = new_id()
        key = f"predictions/{identifier}.parquet"
        self.storage.put(key, file.getvalue())
        return self.add(
            Evaluation(
                id=identifier,
                submission_id=submission.id,
                dataset_id=dataset.id,
                status="finished",
                total=len(answers),
                predictions_key=key,
                predictions_digest=hashlib.sha256(file.getvalue()).hexdigest(),
                **columns,
            )
        )

    def cost(self, submission: Submission, dataset: Dataset, throughput: float, memory: float, **columns: Any) -> None:
        """The two cost cells of the leaderboard."""
        for metric, value, unit in (("throughput", throughput, "examples/s"), ("memory", memory, "GiB")):
            values = {"hardware_profile": HARDWARE, "protocol_version": "1", "metric_version": "1"} | columns
            self.add(
                Measurement(
                    model_digest=submission.digest,
                    dataset_digest=dataset.digest,
                    metric=metric,
                    value=value,
                    low=value * 0.9,
                    high=value * 1.1,
                    n=10,
                    unit=unit,
                    **values,
                )
            )

    def add(self, row: Row) -> Row:
        """Any other row."""
        with self.database.begin() as db:
            db.add(row)
        return row


def labelled(labels: Sequence[str | Sequence[str]], **fields: Any) -> list[Answer]:
    """Examples, or predictions, that have these labels."""
    return [{"label": label, **fields} for label in labels]
