"""What stored predictions lack, as a task's owner sees it."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from dynaboard.backfill.missing import Version
from dynaboard.backfill_schemas import FailedMetric, FillView, MissingMetric
from dynaboard.tables import BackfillSwitch, Dataset, EmptyCell
from dynaboard.task import Task
from services.scoring.fill.needs import missing_of


def fill_view(db: Session, task: Task) -> FillView:
    """The metrics to be computed, each with how many evaluations and examples it is for."""
    missing = missing_of(db, task)
    metrics: dict[Version, list[int]] = {}
    for stored, versions in missing.items():
        for version in versions:
            metrics.setdefault(version, []).append(stored.examples)
    cells, examples = sum(map(len, metrics.values())), sum(stored.examples for stored in missing)
    switch = db.get(BackfillSwitch, task.name)
    return FillView(
        task=task.name,
        sentence=_sentence(cells, len(metrics), examples),
        paused=switch is not None and switch.mode == "paused",
        cells=cells,
        examples=examples,
        metrics=[
            MissingMetric(metric=name, version=version, evaluations=len(counts), examples=sum(counts))
            for (name, version), counts in sorted(metrics.items())
        ],
        failed=_failed(db, task),
    )


def _failed(db: Session, task: Task) -> list[FailedMetric]:
    """The metrics that failed on predictions of this task's datasets."""
    of_task = select(Dataset.digest).where(Dataset.task == task.name)
    counted = (
        select(EmptyCell.metric, EmptyCell.metric_version, func.count(), func.max(EmptyCell.failure))
        .where(EmptyCell.failure.is_not(None), EmptyCell.dataset_digest.in_(of_task))
        .group_by(EmptyCell.metric, EmptyCell.metric_version)
        .order_by(EmptyCell.metric, EmptyCell.metric_version)
    )
    return [
        FailedMetric(metric=name, version=version, evaluations=count, reason=failure or "")
        for name, version, count, failure in db.execute(counted)
    ]


def _sentence(cells: int, metrics: int, examples: int) -> str:
    if not cells:
        return "No metric is missing."
    of = "1 metric" if metrics == 1 else f"{metrics} metrics"
    counted = "1 cell" if cells == 1 else f"{cells:,} cells"
    return f"{counted} of {of} from {examples:,} stored predictions; no model is started"
