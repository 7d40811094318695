"""From one evaluation's stored predictions to its score cells."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session, aliased

from dynaboard import __version__
from dynaboard.errors import PlatformFailure
from dynaboard.perturbed_copy import copy_key, read_variants
from dynaboard.phases import counts
from dynaboard.storage import dataset_key
from dynaboard.tables import Dataset, Evaluation, Submission
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.scoring.comparison import compare
from services.scoring.intervals import CONFIDENCE, Estimate, estimates, seed_of
from services.scoring.metrics import metrics_of, performance_of
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.bias import BIAS, bias_estimates
from services.scoring.metrics.delta import Comparison, delta_metrics, of_dataset, slice_metric
from services.scoring.objects import Objects
from services.scoring.replicates import encoded
from services.scoring.stored import References, read_answers, read_examples, read_predictions, read_references

# A metric's name and version, and whether it is to be computed.
Version = tuple[str, str]
Wants = Callable[[Version], bool]


@dataclass(frozen=True)
class Work:
    """One evaluation whose predictions wait for their scores; `original` is that of the dataset itself."""

    evaluation: Evaluation
    original: Evaluation
    dataset: Dataset
    model_digest: str
    task: Task

    @property
    def seed(self) -> int:
        """The seed of the dataset's resamples, perturbed or not."""
        return seed_of(self.dataset.digest)


def works_of(db: Session, submission_id: str) -> list[Work]:
    """The submission's evaluations, of datasets and of perturbed copies, whose predictions are stored.

    Those on a test set whose labels wait for their day are left out: `release` scores them then.
    """
    return _works(db, Evaluation.submission_id == submission_id)


def works_at(db: Session, evaluations: Collection[str]) -> list[Work]:
    """Those of these evaluations, by id, whose predictions are stored and may be scored."""
    return _works(db, Evaluation.id.in_(evaluations))


def _works(db: Session, which: ColumnElement[bool]) -> list[Work]:
    original = aliased(Evaluation)
    found = db.execute(
        select(Evaluation, original, Dataset, Submission.digest)
        .join(original, original.submission_id == Evaluation.submission_id)
        .join(Dataset, Evaluation.dataset_id == Dataset.id)
        .join(Submission, Evaluation.submission_id == Submission.id)
        .where(
            which,
            Evaluation.predictions_key.is_not(None),
            original.dataset_id == Evaluation.dataset_id,
            original.perturbation == "",
            original.predictions_key.is_not(None),
        )
        .order_by(Dataset.name, Dataset.version, Evaluation.perturbation, Evaluation.perturbation_digest)
    )
    rows = [row for row in found if counts(row.Dataset)]
    tasks = {name: find_task(db, name) for name in {row.Dataset.task for row in rows}}
    return [
        Work(evaluation, original, dataset, digest or "", tasks[dataset.task])
        for evaluation, original, dataset, digest in rows
    ]


def stored_references(storage: Objects, work: Work) -> References:
    """What is right in the work's dataset; the same for all models."""
    with storage.open(dataset_key(work.dataset.digest)) as stream:
        return read_references(stream, work.task)


def metric_cells(
    storage: Objects, work: Work, references: References, replicates: int, wants: Wants
) -> list[dict[str, Any]]:
    """The rows of the wanted metrics, on all examples and by tag. Raises PlatformFailure and MetricFailure."""
    with fetched(storage, work.original) as predictions:
        answers = read_answers(predictions, references, work.task)
    if not work.evaluation.perturbation:
        found = _answer_estimates(work, references, answers, replicates, wants)
        return [_cell(work, estimate, replicates, {}) for estimate in found]
    comparison = _comparison(storage, work, answers)
    known = {"original_evaluation": work.original.id, "coverage": comparison.coverage}
    deltas = _delta_estimates(work, comparison, replicates)
    slices = _slice_estimates(work, references, comparison, replicates)
    return [_cell(work, estimate, replicates, known) for estimate in (*deltas, *slices)]


def _answer_estimates(
    work: Work, references: References, answers: Answers, replicates: int, wants: Wants
) -> Iterator[Estimate]:
    """Every metric that applies over all examples, the performance metric over those of each tag, and the bias AUCs.

    Only the performance metric for tags: a mean over labels, say, is an artefact where a tag has one label.
    """
    wanted = [metric for metric in metrics_of(work.task) if wants((metric.name, str(metric.version)))]
    yield from estimates(wanted, answers, work.seed, replicates)
    ranks = performance_of(work.task)
    for tag, rows in sorted(references.tags.items()) if ranks in wanted else ():
        metric = replace(ranks, tag=tag)
        yield from estimates([metric], answers.subset(rows), work.seed, replicates)
    if wants(BIAS):
        yield from bias_estimates(answers, references.tags, work.seed, replicates)


def _comparison(storage: Objects, work: Work, originals: Answers) -> Comparison:
    with fetched(storage, work.evaluation) as predictions:
        perturbed = read_predictions(predictions, work.task)
    with (
        storage.open(dataset_key(work.dataset.digest)) as dataset,
        storage.open(copy_key(work.evaluation.perturbation_digest)) as copy,
    ):
        return compare(work.task, read_examples(dataset), read_variants(copy), originals, perturbed)


def _delta_estimates(work: Work, comparison: Comparison, replicates: int) -> Iterator[Estimate]:
    """Agreement, change of accuracy and coverage; n counts the variants, but the examples for the coverage."""
    metrics = delta_metrics(work.evaluation.perturbation, comparison.tags)
    counts = {tag: int(comparison.rows(tag).sum()) for tag in comparison.tags}
    for found in estimates(metrics, comparison, work.seed, replicates):
        yield found if found.metric.name.endswith("_coverage") else replace(found, n=counts[found.metric.tag])


def _slice_estimates(work: Work, references: References, comparison: Comparison, replicates: int) -> Iterator[Estimate]:
    """The suite's agreement on each tag of the dataset that has variants, resampled as the performance on that tag."""
    for tag, rows in sorted(references.tags.items()):
        some = comparison.subset(rows)
        if of_dataset(tag) and len(some.origin):
            for found in estimates([slice_metric(work.evaluation.perturbation, tag)], some, work.seed, replicates):
                yield replace(found, n=len(some.origin))


@contextmanager
def fetched(storage: Objects, evaluation: Evaluation) -> Iterator[Path]:
    """The predictions in a local file. Raises PlatformFailure if a byte has changed since they were recorded."""
    with TemporaryDirectory(prefix="dynaboard-score-") as folder:
        target = Path(folder) / "predictions.parquet"
        storage.fetch(evaluation.predictions_key or "", target)
        with target.open("rb") as file:
            if file_digest(file, "sha256").hexdigest() != evaluation.predictions_digest:
                raise PlatformFailure(f"The stored predictions of evaluation {evaluation.id} are not those recorded.")
        yield target


def _cell(work: Work, found: Estimate, replicates: int, known: dict[str, Any]) -> dict[str, Any]:
    return {
        "model_digest": work.model_digest,
        "dataset_digest": work.dataset.digest,
        "perturbation_digest": work.evaluation.perturbation_digest,
        "metric": found.metric.name,
        "metric_version": str(found.metric.version),
        "tag": found.metric.tag,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "unit": found.metric.unit,
        "replicates": _kept(work, found),
        "provenance": {
            "evaluation": work.evaluation.id,
            "predictions_digest": work.evaluation.predictions_digest,
            **known,
            "interval": {
                "method": "percentile bootstrap over examples, seeded by the dataset's digest",
                "confidence": CONFIDENCE,
                "replicates": replicates,
            },
            "code_version": __version__,
        },
    }


def _kept(work: Work, found: Estimate) -> bytes | None:
    """The replicates of what a board or a slice of it can rank; the rest would only take space."""
    performance = found.metric.name == work.task.performance_metric
    whole_or_slice = not found.metric.tag or of_dataset(found.metric.tag)
    delta = found.metric.name == work.evaluation.perturbation and whole_or_slice
    return encoded(found.replicates) if found.replicates is not None and (performance or delta) else None
