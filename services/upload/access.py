"""Who may see and change which model. What one may not see does not exist."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.errors import Forbidden, NotFound
from dynaboard.identity import Caller
from dynaboard.tables import Model, Submission


def seen_model(db: Session, model_id: str, caller: Caller) -> Model:
    """A model the caller may see. Raises NotFound."""
    model = db.get(Model, model_id)
    if model is None or not caller.may_see(model.owner, model.published):
        raise NotFound(f"There is no model {model_id[:40]}, or it is not yours to see.")
    return model


def seen_submission(db: Session, submission_id: str, caller: Caller) -> tuple[Submission, Model]:
    """A submission the caller may see, and its model. Raises NotFound."""
    row = db.execute(
        select(Submission, Model).join(Model, Model.id == Submission.model_id).where(Submission.id == submission_id)
    ).one_or_none()
    if row is None or not caller.may_see(row[1].owner, row[1].published):
        raise NotFound(f"There is no submission {submission_id[:40]}, or it is not yours to see.")
    return row[0], row[1]


def check_owner(model: Model, caller: Caller) -> None:
    """Raises Forbidden unless the caller may change the model."""
    if not caller.may_change(model.owner):
        raise Forbidden("Only its owner or an administrator may do this.")
