"""The bench on which models are evaluated: what every step of an evaluation needs, and what it is given."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dynaboard.database import Database
from dynaboard.draining import Draining
from dynaboard.nlp_tasks import Task
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import Dataset, Submission
from services.evaluator.archives import Archive
from services.evaluator.datasets.canonical import read_examples
from services.evaluator.deployers import Deployer
from services.evaluator.progress import Progress
from services.evaluator.reference_server import ReferenceServer
from services.evaluator.running_models import RunningModels
from services.evaluator.settings import EvaluatorSettings
from services.evaluator.slot import Slot


@dataclass(frozen=True)
class Bench:
    """The parts of an evaluator that outlive a job."""

    settings: EvaluatorSettings
    database: Database
    storage: Storage
    deployer: Deployer
    slot: Slot
    reference: ReferenceServer
    models: RunningModels = field(default_factory=RunningModels)
    draining: Draining = field(default_factory=Draining)

    @property
    def here(self) -> str:
        """The place, to the slot, that this evaluator itself runs in."""
        return self.settings.place or socket.gethostname()


@dataclass(frozen=True)
class Order:
    """One job: a submission, where to report, and a folder to work in."""

    submission: Submission
    task: Task
    progress: Progress
    scratch: Path

    @property
    def digest(self) -> str:
        """The archive's sha256, which is the model's identity."""
        assert self.submission.digest is not None
        return self.submission.digest

    @property
    def archive(self) -> Archive:
        """The archive to run."""
        return Archive(self.submission.id, self.digest)


class LocalExamples:
    """A dataset's examples, read from a local copy: a slow model must not keep a connection to the store for hours."""

    def __init__(self, bench: Bench, order: Order, dataset: Dataset) -> None:
        self._file = order.scratch / f"{dataset.digest}.jsonl.gz"
        self._storage = bench.storage
        self._key = dataset_key(dataset.digest)

    def fetch(self) -> None:
        """Copy the dataset here unless it is here already. Raises NotFound."""
        if not self._file.exists():
            self._storage.fetch(self._key, self._file)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        with self._file.open("rb") as file:
            yield from read_examples(file)

    def discard(self) -> None:
        """Delete the copy."""
        self._file.unlink(missing_ok=True)
