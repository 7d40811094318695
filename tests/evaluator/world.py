"""A small platform to evaluate on: datasets and tiny plain-Python models, put where upload would put them."""

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from textwrap import dedent
from typing import Any

from sqlalchemy import select

from dynaboard.archive import object_key
from dynaboard.database import Database
from dynaboard.jobs import EVALUATE, defer
from dynaboard.nlp_tasks import TASKS
from dynaboard.status import Status, move
from dynaboard.storage import Storage
from dynaboard.tables import Dataset, Evaluation, Model, Submission
from services.evaluator.datasets.stored import store

SENTIMENT = TASKS["sentiment"]
# Answers by the words of the statement, so that any example's prediction is known beforehand.
GOOD = """
    class Handler:
        def load(self, model_dir):
            print("loaded and well")

        def predict(self, examples):
            return [{"id": example["id"], "label": self.label(example["statement"])} for example in examples]

        def label(self, statement):
            return next((label for label in ("positive", "negative") if label in statement), "neutral")
"""
BROKEN = """
    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            print("about to fail")
            raise ValueError("my vocabulary is empty")
"""
# As slow as an example says: `waits` in a statement is worth a twentieth of a second.
SLOW = GOOD.replace(
    'return [{"id"',
    'import time; time.sleep(sum(example["statement"].count("waits") for example in examples) / 20)\n'
    '            return [{"id"',
)


def statements(count: int, text: str = "item") -> list[dict[str, Any]]:
    """Sentiment examples x0, x1, … whose right label is in their statement."""
    return [
        {"id": f"x{index}", "statement": f"{text} {label} {index}", "label": label}
        for index, label in ((index, SENTIMENT.labels[index % 3]) for index in range(count))
    ]


def wait_until(true: Callable[[], object], seconds: float = 20) -> None:
    """Poll until something is so. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)


@dataclass
class World:
    """Fills the test's database and bucket."""

    database: Database
    storage: Storage
    owner: str = "ada"
    names: list[str] = field(default_factory=list)

    def add_dataset(self, name: str, examples: list[dict[str, Any]], role: str = "scoring", **values: Any) -> Dataset:
        """A dataset, stored and active."""
        contents = store(self.storage, SENTIMENT, examples, 10_000)
        dataset = Dataset(
            task="sentiment", name=name, version=1, role=role, licence="CC0-1.0", citation="", created_by="root",
            digest=contents.digest, examples=contents.examples, size=contents.size, labels=contents.labels, tags={},
        )  # fmt: skip
        for column, value in values.items():
            setattr(dataset, column, value)
        with self.database.begin() as db:
            db.add(dataset)
        return dataset

    def submit(self, handler: str, batch_size: int = 8, queue: bool = True) -> str:
        """Hand in a model whose handler is this source; its id."""
        files = {"handler.py": dedent(handler)}
        return self._submit("model", {"handler": "handler.py:Handler", "batch_size": batch_size}, files, queue)

    def submit_predictions(self, files: dict[str, list[dict[str, Any]]]) -> str:
        """Hand in predictions by dataset; the submission's id."""
        lines = {
            f"predictions/{name}.jsonl": "".join(json.dumps(answer) + "\n" for answer in answers)
            for name, answers in files.items()
        }
        return self._submit("predictions", {}, lines, queue=True)

    def _submit(self, kind: str, manifest: dict[str, Any], files: dict[str, str], queue: bool) -> str:
        name = f"model-{len(self.names)}"
        self.names.append(name)
        card = {"summary": "A model for a test", "licence": "MIT"}
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as packed:
            packed.writestr("dynaboard.yaml", json.dumps({"name": name, "task": "sentiment", "card": card, **manifest}))
            for path, text in files.items():
                packed.writestr(path, text)
        model = Model(task="sentiment", owner=self.owner, name=name)
        with self.database.begin() as db:
            db.add(model)
            db.flush()
            submission = Submission(model_id=model.id, task="sentiment", owner=self.owner, version=1, kind=kind)
            submission.digest, submission.size = sha256(archive.getvalue()).hexdigest(), len(archive.getvalue())
            db.add(submission)
            db.flush()
            self.storage.put(object_key(submission.id), archive.getvalue())
            move(db, submission.id, Status.SUBMITTED)
            if queue:
                defer(db, EVALUATE, submission.id)
        return submission.id

    def submission(self, submission_id: str) -> Submission:
        """The row as it is now."""
        with self.database.begin() as db:
            return db.get_one(Submission, submission_id)

    def publish(self, submission_id: str, status: Status = Status.FINISHED) -> None:
        """Show a submission's model, as if it had been scored."""
        with self.database.begin() as db:
            submission = db.get_one(Submission, submission_id)
            submission.status = status
            db.get_one(Model, submission.model_id).published = True

    def evaluations(self, submission_id: str, suite: str = "") -> dict[str, Evaluation]:
        """The evaluations of a submission by dataset name: of the datasets, or of their copies for a suite."""
        query = select(Dataset.name, Evaluation).join(Dataset, Dataset.id == Evaluation.dataset_id)
        query = query.where(Evaluation.submission_id == submission_id, Evaluation.perturbation == suite)
        with self.database.begin() as db:
            rows = db.execute(query).all()
        return {row.name: row.Evaluation for row in rows}
