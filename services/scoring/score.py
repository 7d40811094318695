"""From one evaluation's stored predictions to its score cells."""

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard import __version__
from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import TASKS, Task
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import Dataset, Evaluation, Submission
from services.scoring.intervals import CONFIDENCE, Estimate, estimates, seed_of
from services.scoring.metrics import METRICS
from services.scoring.metrics.answers import Answers
from services.scoring.stored import read_answers, read_references


@dataclass(frozen=True)
class Work:
    """One evaluation whose predictions wait for their scores."""

    evaluation: Evaluation
    dataset: Dataset
    model_digest: str

    @property
    def task(self) -> Task:
        """The NLP task."""
        return TASKS[self.dataset.task]


def works_of(db: Session, submission_id: str) -> list[Work]:
    """The submission's evaluations of unperturbed datasets whose predictions are stored."""
    found = db.execute(
        select(Evaluation, Dataset, Submission.digest)
        .join(Dataset, Evaluation.dataset_id == Dataset.id)
        .join(Submission, Evaluation.submission_id == Submission.id)
        .where(
            Evaluation.submission_id == submission_id,
            Evaluation.perturbation == "",
            Evaluation.predictions_key.is_not(None),
        )
        .order_by(Dataset.name, Dataset.version)
    )
    return [Work(evaluation, dataset, digest or "") for evaluation, dataset, digest in found]


def score_cells(storage: Storage, work: Work, replicates: int) -> list[dict[str, Any]]:
    """Every metric that applies, over all examples and, for the performance metric, over those of each tag.

    The rows of the table `scores`. Raises PlatformFailure where what is stored does not fit together.
    """
    with storage.open(dataset_key(work.dataset.digest)) as stream:
        references = read_references(stream, work.task)
    with TemporaryDirectory(prefix="dynaboard-score-") as folder:
        answers = read_answers(_fetched(storage, work.evaluation, Path(folder)), references, work.task)
    seed = seed_of(work.dataset.digest)
    cells = [
        _cell(work, found, "", replicates) for found in estimates(list(METRICS.values()), answers, seed, replicates)
    ]
    for tag, rows in sorted(references.tags.items()):
        cells += [_cell(work, found, tag, replicates) for found in _of_tag(work, answers.subset(rows), replicates)]
    return cells


def _of_tag(work: Work, answers: Answers, replicates: int) -> list[Estimate]:
    """Only the performance metric: a mean over labels, say, is an artefact where a tag has one label."""
    return estimates([METRICS[work.task.performance_metric]], answers, seed_of(work.dataset.digest), replicates)


def _fetched(storage: Storage, evaluation: Evaluation, folder: Path) -> Path:
    """The predictions in a local file. Raises PlatformFailure if a byte has changed since they were recorded."""
    target = folder / "predictions.parquet"
    storage.fetch(evaluation.predictions_key or "", target)
    with target.open("rb") as file:
        if file_digest(file, "sha256").hexdigest() != evaluation.predictions_digest:
            raise PlatformFailure(f"The stored predictions of evaluation {evaluation.id} are not those recorded.")
    return target


def _cell(work: Work, found: Estimate, tag: str, replicates: int) -> dict[str, Any]:
    return {
        "model_digest": work.model_digest,
        "dataset_digest": work.dataset.digest,
        "metric": found.metric.name,
        "metric_version": str(found.metric.version),
        "tag": tag,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "unit": found.metric.unit,
        "provenance": {
            "evaluation": work.evaluation.id,
            "predictions_digest": work.evaluation.predictions_digest,
            "interval": {
                "method": "percentile bootstrap over examples, seeded by the dataset's digest",
                "confidence": CONFIDENCE,
                "replicates": replicates,
            },
            "code_version": __version__,
        },
    }
