"""The record of who could see a model from when on, so that a leaderboard of the past shows what it showed then."""

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from dynaboard.tables import Model, Publication


def record_publication(db: Session, model: Model) -> None:
    """Append what the model's owner has just decided, unless it is what already held.

    One at a time for each task, so that the newest id says whether anything has changed.
    """
    name = f"publications {model.task}"
    db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})
    last = db.scalars(
        select(Publication).where(Publication.model_id == model.id).order_by(Publication.id.desc()).limit(1)
    ).one_or_none()
    if last is None or (last.published, last.anonymous) != (model.published, model.anonymous):
        db.add(Publication(task=model.task, model_id=model.id, published=model.published, anonymous=model.anonymous))
