"""Stopping a submission and starting it again: moves of its status, which the job obeys."""

from sqlalchemy.orm import Session

from dynaboard.errors import Conflict
from dynaboard.identity import Caller
from dynaboard.jobs import EVALUATE, defer
from dynaboard.status import Status, move
from dynaboard.tables import Submission
from dynaboard.telemetry import SUBMISSIONS


def cancel(db: Session, submission: Submission, caller: Caller) -> None:
    """Stop a submission; its model is gone within seconds. Raises Conflict when there is nothing to stop any more."""
    if not move(db, submission.id, Status.CANCELLED, reason=f"Cancelled by {caller.name}."):
        db.refresh(submission)
        raise Conflict(f"The submission is {submission.status}; only one that waits or runs can be cancelled.")
    SUBMISSIONS.labels(submission.task, Status.CANCELLED, "").inc()


def retry(db: Session, submission: Submission) -> None:
    """Queue a failed or cancelled submission again; what was finished before is kept. Raises Conflict."""
    if submission.digest is None:
        raise Conflict("The archive never arrived whole or was refused; submit it again.")
    if submission.status not in (Status.FAILED, Status.CANCELLED) or not move(db, submission.id, Status.SUBMITTED):
        db.refresh(submission)
        raise Conflict(f"The submission is {submission.status}; only a failed or cancelled one can be retried.")
    defer(db, EVALUATE, submission.id)
