"""Models: who sees them, and what their owners may change."""

from typing import Annotated

from fastapi import APIRouter, Query
from sqlalchemy import or_, select, true

from dynaboard.board_events import announce
from dynaboard.identity import CallerDep, Role, require
from dynaboard.jobs import PLAN_BACKFILL, defer
from dynaboard.publications import record_publication
from dynaboard.schemas import ModelChange, ModelView
from dynaboard.tables import Model, Submission
from services.upload.access import check_owner, seen_model
from services.upload.dependencies import ContextDep, TaskFilter
from services.upload.views import model_view

router = APIRouter(tags=["models"])


@router.get("/models")
def list_models(
    context: ContextDep,
    caller: CallerDep,
    task: TaskFilter = None,
    mine: bool = False,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> list[ModelView]:
    """The models the caller may see, newest first."""
    if mine:
        require(caller, Role.READER)
    own = Model.owner == caller.name if caller.at_least(Role.READER) else ~true()
    seen = own if mine else or_(Model.published, own, true() if caller.role == Role.ADMIN else ~true())
    wanted = select(Model).where(seen, Model.task == task if task else true())
    with context.database.begin() as db:
        page = db.scalars(wanted.order_by(Model.created_at.desc(), Model.id).limit(limit).offset(offset)).all()
        versions = db.scalars(select(Submission).where(Submission.model_id.in_([model.id for model in page]))).all()
    return [model_view(model, [item for item in versions if item.model_id == model.id], caller) for model in page]


@router.get("/models/{model_id}")
def get_model(context: ContextDep, caller: CallerDep, model_id: str) -> ModelView:
    """A model with its card and versions."""
    with context.database.begin() as db:
        model = seen_model(db, model_id, caller)
        versions = db.scalars(select(Submission).where(Submission.model_id == model_id)).all()
    return model_view(model, versions, caller)


@router.patch("/models/{model_id}")
def change_model(context: ContextDep, caller: CallerDep, model_id: str, change: ModelChange) -> ModelView:
    """Publish or withdraw a model, hide or show its owner."""
    require(caller, Role.SUBMITTER)
    with context.database.begin() as db:
        model = seen_model(db, model_id, caller)
        check_owner(model, caller)
        for field, value in change.model_dump(exclude_none=True).items():
            setattr(model, field, value)
        record_publication(db, model)
        announce(db)
        defer(db, PLAN_BACKFILL)  # while it was not published, no new dataset was run on it
        versions = db.scalars(select(Submission).where(Submission.model_id == model_id)).all()
    return model_view(model, versions, caller)
