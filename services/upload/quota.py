"""How many models a user may hand in a day, so that one author's tuning does not hold up everybody's evaluation."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import func, or_, select, text
from sqlalchemy.orm import Session

from dynaboard.errors import QuotaExceeded
from dynaboard.status import Status
from dynaboard.tables import Submission


def lock(db: Session, owner: str, task: str) -> None:
    """One submission of an owner and task is announced at a time, until the transaction ends."""
    db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": f"submit:{task}:{owner}"})


def check(db: Session, owner: str, task: str, quota: int) -> None:
    """Raises QuotaExceeded when `quota` submissions since midnight UTC count. Call under `lock`."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if _used(db, owner, task, midnight) < quota:
        return
    resets = midnight + timedelta(days=1)
    raise QuotaExceeded(
        f"Today's {quota} submissions for {task} are used up; the count starts anew at {resets:%Y-%m-%d %H:%M} UTC."
    )


def _used(db: Session, owner: str, task: str, since: datetime) -> int:
    """What failed by the platform's fault does not count, nor what ended before it ran: a refused archive, a cancel."""
    ended_unrun = Submission.status.in_([Status.FAILED, Status.CANCELLED]) & Submission.started_at.is_(None)
    counted = select(func.count()).where(
        Submission.owner == owner,
        Submission.task == task,
        Submission.created_at >= since,
        ~ended_unrun,
        or_(Submission.failure.is_(None), Submission.failure != "platform"),
    )
    return db.scalar(counted) or 0
