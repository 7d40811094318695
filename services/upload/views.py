"""Rows as callers see them: an anonymous model has no owner, and another's troubles are not shown."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from dynaboard.identity import Caller
from dynaboard.schemas import ModelView, SubmissionView
from dynaboard.status import Status
from dynaboard.tables import Model, Submission

PREDICTIONS = "predictions"


def owner_for(model: Model, caller: Caller) -> str | None:
    """The owner's name, unless it is to be hidden from this caller."""
    return None if model.anonymous and not caller.may_change(model.owner) else model.owner


def submission_view(submission: Submission, model: Model, caller: Caller) -> SubmissionView:
    """One version. The reason of a failure is its author's business."""
    return SubmissionView(
        id=submission.id,
        model_id=model.id,
        task=submission.task,
        name=model.name,
        owner=owner_for(model, caller),
        version=submission.version,
        kind=submission.kind,
        status=submission.status,
        step=submission.step,
        reason=submission.reason if caller.may_change(model.owner) else None,
        failure=submission.failure,
        digest=submission.digest,
        size=submission.size,
        verified=submission.kind != PREDICTIONS,
        published=model.published,
        anonymous=model.anonymous,
        created_at=submission.created_at,
        updated_at=submission.updated_at,
        started_at=submission.started_at,
        finished_at=submission.finished_at,
    )


def waiting_view(db: Session, submission: Submission, model: Model, caller: Caller) -> SubmissionView:
    """One version with its place in the queue; the evaluator tells how far a running one is."""
    view = submission_view(submission, model, caller)
    if submission.status == Status.SUBMITTED:
        earlier = select(func.count()).where(
            Submission.status == Status.SUBMITTED, Submission.updated_at < submission.updated_at
        )
        view.queue_position = 1 + (db.scalar(earlier) or 0)
    return view


def model_view(model: Model, submissions: Sequence[Submission], caller: Caller) -> ModelView:
    """A model with its versions, newest first; others see the finished ones only."""
    theirs = caller.may_change(model.owner)
    versions = [item for item in submissions if theirs or item.status == Status.FINISHED]
    versions.sort(key=lambda item: -item.version)
    manifests: list[dict[str, Any]] = [item.manifest for item in versions if item.manifest]
    return ModelView(
        id=model.id,
        task=model.task,
        name=model.name,
        owner=owner_for(model, caller),
        anonymous=model.anonymous,
        published=model.published,
        baseline=model.baseline,
        created_at=model.created_at,
        card=manifests[0]["card"] if manifests else None,
        versions=[submission_view(item, model, caller) for item in versions],
    )
