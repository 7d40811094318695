"""All cells of one submission: every metric, dataset and tag, and the costs."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.errors import NotFound
from dynaboard.identity import Caller, Role
from dynaboard.leaderboard_schemas import CellView, ScoreView
from dynaboard.tables import Dataset, Evaluation, HardwareProfile, Measurement, Model, Score, Submission
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.scoring.intervals import within
from services.scoring.leaderboard import HIDDEN
from services.scoring.warnings import suite_warnings


def submission_scores(db: Session, submission_id: str, caller: Caller) -> list[ScoreView]:
    """The cells on the datasets this submission was evaluated on, hidden ones for task owners only.

    Raises NotFound for a submission the caller may not see.
    """
    found = db.execute(
        select(Submission.digest, Submission.task, Model.owner, Model.published)
        .join(Model, Submission.model_id == Model.id)
        .where(Submission.id == submission_id)
    ).one_or_none()
    if found is None or not caller.may_see(found.owner, found.published):
        raise NotFound(f"Submission {submission_id[:64]} does not exist, or is not yours to see.")
    task = find_task(db, found.task)
    evaluated = select(Evaluation.dataset_id).where(Evaluation.submission_id == submission_id)
    scores: list[ScoreView] = []
    tables: tuple[type[Score | Measurement], ...] = (Score, Measurement)
    for table in tables:
        rows: Sequence[Any] = db.execute(
            select(table, Dataset)
            .join(Dataset, Dataset.digest == table.dataset_digest)
            .where(table.model_digest == found.digest, Dataset.id.in_(evaluated))
            .order_by(Dataset.name, Dataset.version, table.id)
        ).all()
        scores += [
            _view(cell, dataset, task)
            for cell, dataset in rows
            if dataset.role != HIDDEN or caller.at_least(Role.TASK_OWNER)
        ]
    return _with_hardware(db, scores)


def _with_hardware(db: Session, scores: list[ScoreView]) -> list[ScoreView]:
    """Each throughput with the machine it was measured on, in full; the other costs name its fingerprint."""
    described = {row.fingerprint: row.description for row in db.scalars(select(HardwareProfile))}
    for score in scores:
        if score.metric == "throughput" and (machine := described.get(score.provenance["hardware_profile"])):
            score.provenance["hardware"] = machine
    return scores


def _view(cell: Score | Measurement, dataset: Dataset, task: Task) -> ScoreView:
    suite = cell.metric.partition("_")[0] if cell.perturbation_digest else ""
    warnings = {"warnings": suite_warnings(suite, task)} if suite else {}
    origin = {"model_digest": cell.model_digest, "hardware_profile": cell.hardware_profile}
    shown = {name: getattr(cell, name) for name in CellView.model_fields if name != "provenance"}
    # Cells of before intervals kept to their metric's range are still there.
    shown |= {end: _end(cell, shown[end]) for end in ("low", "high")}
    return ScoreView(
        **shown,
        provenance=cell.provenance | origin | warnings,
        dataset=dataset.name,
        dataset_version=dataset.version,
        dataset_digest=dataset.digest,
        perturbation_digest=cell.perturbation_digest,
        role=dataset.role,
        metric_version=cell.metric_version,
        tag=cell.tag if isinstance(cell, Score) else "",
        created_at=cell.created_at,
    )


def _end(cell: Score | Measurement, end: float | None) -> float | None:
    return None if end is None else within(cell.unit, cell.value, end)
