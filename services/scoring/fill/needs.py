"""Which metrics the stored predictions of a task lack, out of the database, by the planner."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from dynaboard.backfill.missing import CellKey, Stored, Version, missing_cells
from dynaboard.phases import counts
from dynaboard.status import Status
from dynaboard.tables import Dataset, EmptyCell, Evaluation, Score, Submission
from dynaboard.task import Task
from services.scoring.metrics import metrics_of
from services.scoring.metrics.bias import BIAS, PREFIX
from services.scoring.metrics.delta import delta_metrics


def versions_of(task: Task, suite: str, tags: Iterable[str]) -> list[Version]:
    """The metrics over all examples that predictions are to have, whether or not they turn out to apply."""
    metrics = delta_metrics(suite, [""]) if suite else metrics_of(task)
    found = [(metric.name, str(metric.version)) for metric in metrics]
    identities = not suite and any(tag.startswith(PREFIX) for tag in tags)
    return [*found, BIAS] if identities else found


def missing_of(db: Session, task: Task, since: datetime | None = None) -> dict[Stored, list[Version]]:
    """What each evaluation of a finished submission lacks; those on labels that wait for their day are left out.

    So is what failed; with `since`, what has failed since then.
    """
    stored = _stored(db, task)
    tags: Mapping[str, Iterable[str]] = {
        dataset.digest: dataset.tags for dataset in db.scalars(select(Dataset).where(Dataset.task == task.name))
    }
    texts = {(each.dataset_digest, each.suite) for each in stored}
    wanted = {(digest, suite): versions_of(task, suite, tags[digest]) for digest, suite in texts}
    return missing_cells(stored, wanted, _cells(db, {each.dataset_digest for each in stored}, since))


def _stored(db: Session, task: Task) -> list[Stored]:
    found = db.execute(
        select(Evaluation, Submission.digest, Dataset)
        .join(Submission, Submission.id == Evaluation.submission_id)
        .join(Dataset, Dataset.id == Evaluation.dataset_id)
        .where(Submission.task == task.name, Submission.status == Status.FINISHED, Submission.digest.is_not(None))
        .where(Evaluation.predictions_key.is_not(None))
    ).all()
    whole = {(row.Evaluation.submission_id, row.Dataset.id) for row in found if not row.Evaluation.perturbation}
    return [
        Stored(row.Evaluation.id, row.digest, row.Dataset.digest, row.Evaluation.perturbation,
               row.Evaluation.perturbation_digest, row.Evaluation.total)
        for row in found
        if counts(row.Dataset) and (row.Evaluation.submission_id, row.Dataset.id) in whole
    ]  # fmt: skip


def _cells(db: Session, datasets: Iterable[str], since: datetime | None) -> frozenset[CellKey]:
    """The cells over all examples that there are, and those that are known to have no value."""
    digests: Sequence[str] = sorted(datasets)
    keys: list[CellKey] = []
    tables: tuple[type[Score | EmptyCell], ...] = (Score, EmptyCell)
    for table in tables:
        columns = (table.model_digest, table.dataset_digest, table.perturbation_digest, table.metric)
        wanted = select(*columns, table.metric_version).where(table.dataset_digest.in_(digests))
        if table is Score:
            wanted = wanted.where(Score.tag == "")
        elif since:
            wanted = wanted.where(or_(EmptyCell.failure.is_(None), EmptyCell.created_at >= since))
        keys += [(row[0], row[1], row[2], row[3], row[4]) for row in db.execute(wanted)]
    return frozenset(keys)
