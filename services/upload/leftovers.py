"""What unfinished uploads leave behind in object storage."""

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from dynaboard.archive import object_key
from dynaboard.errors import Unavailable
from dynaboard.status import Status, move
from dynaboard.tables import Submission
from services.upload.dependencies import Context

LOG = logging.getLogger(__name__)
AT_ONCE = 20


def clear(context: Context) -> None:
    """Cancel abandoned uploads, and remove the parts of those that ended. A few at a time; safe to run twice."""
    try:
        for submission in _ended(context):
            if submission.upload_id:
                context.parts.discard(object_key(submission.id), submission.upload_id)
            with context.database.begin() as db:
                db.get_one(Submission, submission.id).upload_id = None
    except Unavailable:
        LOG.warning("the object store does not answer; leftovers stay until the next upload")


def _ended(context: Context) -> Sequence[Submission]:
    since = datetime.now(UTC) - timedelta(hours=context.settings.abandoned_hours)
    abandoned = select(Submission.id).where(Submission.status == Status.SUBMITTING, Submission.created_at < since)
    ended = select(Submission).where(
        Submission.status.in_([Status.FAILED, Status.CANCELLED]), Submission.upload_id.is_not(None)
    )
    with context.database.begin() as db:
        for submission_id in db.scalars(abandoned.limit(AT_ONCE)).all():
            move(db, submission_id, Status.CANCELLED, reason="The upload was not completed in time; submit again.")
        return db.scalars(ended.limit(AT_ONCE)).all()
