"""Who may see and steer which submission. What one may not see does not exist."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.errors import Forbidden, Invalid, NotFound
from dynaboard.identity import Caller
from dynaboard.status import Status
from dynaboard.tables import Model, Submission


def seen(db: Session, submission_id: str, caller: Caller) -> tuple[Submission, Model]:
    """A submission the caller may see, and its model. Raises NotFound."""
    row = db.execute(
        select(Submission, Model).join(Model, Model.id == Submission.model_id).where(Submission.id == submission_id)
    ).one_or_none()
    if row is None or not caller.may_see(row[1].owner, row[1].published):
        raise NotFound(f"There is no submission {submission_id[:40]}, or it is not yours to see.")
    return row[0], row[1]


def owned(db: Session, submission_id: str, caller: Caller) -> tuple[Submission, Model]:
    """A submission the caller may steer, and its model. Raises NotFound, or Forbidden when it may only be seen."""
    submission, model = seen(db, submission_id, caller)
    if not caller.may_change(model.owner):
        raise Forbidden("Only its owner or an administrator may do this.")
    return submission, model


def talkable(db: Session, submission_id: str, caller: Caller) -> Submission:
    """A submission whose model the caller may ask: a published finished one, or their own.

    Raises NotFound, and Invalid when there is no model to run.
    """
    submission, model = seen(db, submission_id, caller)
    if submission.status != Status.FINISHED and not caller.may_change(model.owner):
        raise NotFound(f"Submission {submission_id[:40]} is not finished; its model cannot be asked yet.")
    if submission.kind == "predictions":
        raise Invalid("Only predictions were submitted here; there is no model to ask.")
    if submission.digest is None:
        raise Invalid("The model's archive has not arrived; complete the submission first.")
    return submission
