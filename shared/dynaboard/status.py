"""The status of a submission: the legal moves, and the one function that makes them."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import CursorResult, update
from sqlalchemy.orm import Session

from dynaboard.tables import Submission


class Status(StrEnum):
    """Where a submission is. `finished`, `failed` and `cancelled` are ends; the last two may be retried."""

    SUBMITTING = "submitting"
    SUBMITTED = "submitted"
    RUNNING = "running"
    PREDICTED = "predicted"
    SCORING = "scoring"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


# New status -> the statuses it may come from. A job may run twice, so running and scoring may follow themselves.
LEGAL: dict[Status, frozenset[Status]] = {
    Status.SUBMITTED: frozenset({Status.SUBMITTING, Status.FAILED, Status.CANCELLED}),
    Status.RUNNING: frozenset({Status.SUBMITTED, Status.RUNNING}),
    Status.PREDICTED: frozenset({Status.RUNNING}),
    Status.SCORING: frozenset({Status.PREDICTED, Status.SCORING}),
    Status.FINISHED: frozenset({Status.SCORING}),
    Status.FAILED: frozenset({Status.SUBMITTING, Status.SUBMITTED, Status.RUNNING, Status.PREDICTED, Status.SCORING}),
    Status.CANCELLED: frozenset({Status.SUBMITTING, Status.SUBMITTED, Status.RUNNING, Status.PREDICTED}),
}

# What follows one another when all goes well.
ON_ITS_WAY = frozenset({Status.RUNNING, Status.PREDICTED, Status.SCORING, Status.FINISHED})
ENDS = frozenset({Status.FINISHED, Status.FAILED, Status.CANCELLED})


def move(db: Session, submission_id: str, to: Status, **values: Any) -> bool:
    """Move a submission to a status, if it is in one from which that is legal.

    `values` are further columns written in the same UPDATE (reason, failure, step …); these three are cleared
    unless given, but why it takes longer (`delay`) stays its reason as far as the end. False means that somebody else
    moved it first (cancelled, overtaken): stop what you are doing.
    """
    now = datetime.now(UTC)
    cleared: dict[str, Any] = {"step": None, "reason": None, "failure": None}
    if to in ON_ITS_WAY:
        del cleared["reason"]
    times = {Status.RUNNING: {"started_at": now}} | {end: {"finished_at": now} for end in ENDS}
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.status.in_(LEGAL[to]))
        .values(cleared | times.get(to, {}) | values | {"status": to, "updated_at": now})
    )
    return cast("CursorResult[Any]", db.execute(statement)).rowcount == 1


def report_step(db: Session, submission_id: str, step: str) -> bool:
    """Say in plain words what a running submission is doing now. False: it is no longer running (cancelled)."""
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.status == Status.RUNNING)
        .values(step=step, updated_at=datetime.now(UTC))
    )
    return cast("CursorResult[Any]", db.execute(statement)).rowcount == 1


def delay(db: Session, submission_id: str, step: str, why: str) -> bool:
    """Say what a submission waits for now, and why it takes longer, which stays its reason. False: it has ended."""
    statement = (
        update(Submission)
        .where(Submission.id == submission_id, Submission.status.in_(ON_ITS_WAY - ENDS))
        .values(step=step, reason=f"It took longer: {why}"[:2000], updated_at=datetime.now(UTC))
    )
    return cast("CursorResult[Any]", db.execute(statement)).rowcount == 1
