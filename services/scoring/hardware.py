"""The hardware profiles that costs were measured on, the one with the most models first."""

from collections import defaultdict
from collections.abc import Mapping

from fastapi import APIRouter, Request
from sqlalchemy import func, select, true
from sqlalchemy.orm import Session

from dynaboard.database import Database
from dynaboard.hardware_schemas import CanaryView, HardwareView, RatingView
from dynaboard.identity import CallerDep
from dynaboard.schemas import TaskName
from dynaboard.status import Status
from dynaboard.tables import HardwareProfile, Measurement, Model, ReferenceRating, Submission
from dynaboard.task_registry import find_task

routes = APIRouter()


@routes.get("/hardware")
def list_hardware(request: Request, _: CallerDep, task: TaskName | None = None) -> list[HardwareView]:
    """Every profile; with `task`, those that published models of that task were measured on."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return hardware_views(db, task and find_task(db, task).name)


def hardware_views(db: Session, task: str | None) -> list[HardwareView]:
    """The profiles with their ratings, what was measured, and how steady they were last."""
    models, ratings, canaries = _models(db, task), _ratings(db), _canaries(db)
    views = [
        HardwareView(
            fingerprint=row.fingerprint,
            description=row.description,
            models=models.get(row.fingerprint, 0),
            ratings=ratings[row.fingerprint],
            canary=canaries.get(row.fingerprint),
            created_at=row.created_at,
        )
        for row in db.scalars(select(HardwareProfile).order_by(HardwareProfile.created_at.desc()))
        if not task or row.fingerprint in models
    ]
    return sorted(views, key=lambda view: -view.models)


def _models(db: Session, task: str | None) -> Mapping[str, int]:
    """How many published models were measured on each."""
    counted = (
        select(Measurement.hardware_profile, func.count(Model.id.distinct()))
        .join(Submission, Submission.digest == Measurement.model_digest)
        .join(Model, Model.id == Submission.model_id)
        .where(Measurement.metric == "throughput", Submission.status == Status.FINISHED, Model.published)
        .where(Submission.task == task if task else true())
        .group_by(Measurement.hardware_profile)
    )
    return {row[0]: row[1] for row in db.execute(counted)}


def _ratings(db: Session) -> Mapping[str, list[RatingView]]:
    found: defaultdict[str, list[RatingView]] = defaultdict(list)
    for row in db.scalars(select(ReferenceRating).order_by(ReferenceRating.created_at.desc())):
        fields = {name: getattr(row, name) for name in RatingView.model_fields}
        found[row.hardware_profile].append(RatingView(**fields))
    return found


def _canaries(db: Session) -> Mapping[str, CanaryView]:
    """Those of each profile's newest measurement. Their cells are long: only these few are read."""
    newest = (
        select(func.max(Measurement.id))
        .where(Measurement.metric == "throughput", Measurement.perturbation_digest == "")
        .group_by(Measurement.hardware_profile)
    )
    wanted = select(Measurement.hardware_profile, Measurement.provenance["canary"], Measurement.created_at)
    return {
        profile: CanaryView(drift=sung["drift"], limit=sung["limit"], steady=sung["steady"], measured_at=at)
        for profile, sung, at in db.execute(wanted.where(Measurement.id.in_(newest)))
        if sung
    }
