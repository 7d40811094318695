"""The job `score`: predictions become score cells, the submission is finished, its task's board is made anew."""

import logging

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from dynaboard.cell_order import in_order
from dynaboard.database import Database
from dynaboard.status import Status, move
from dynaboard.storage import Storage
from dynaboard.tables import Evaluation, Score, Submission, now
from dynaboard.task_registry import find_task
from dynaboard.telemetry import LANDING_SECONDS, SUBMISSIONS
from services.scoring.boards import lock, record
from services.scoring.score import works_of
from services.scoring.scored import score_cells
from services.scoring.standings import Standings

LOG = logging.getLogger(__name__)


def score(
    database: Database, storage: Storage, replicates: int, submission_id: str, standings: Standings | None = None
) -> None:
    """Score a predicted submission. Safe to run twice: cells land once, and a finished submission is left alone.

    With the `standings` of the process the board is recorded without reading all of it again.
    Raises PlatformFailure where what is stored does not fit together.
    """
    with database.begin() as db:
        if not move(db, submission_id, Status.SCORING, step="Scoring the predictions"):
            LOG.info("nothing to score: cancelled, or scored by another")
            return
        works = works_of(db, submission_id)
    for work in works:
        cells = score_cells(storage, work, replicates)
        with database.begin() as db:
            if cells:
                in_order(db)
                db.execute(insert(Score).on_conflict_do_nothing(constraint="uq_scores_cell"), cells)
    _finish(database, submission_id, standings or Standings())


def _finish(database: Database, submission_id: str, standings: Standings) -> None:
    """The last move, the new board and the word to its watchers are one transaction."""
    with database.begin() as db:
        task = find_task(db, db.scalars(select(Submission.task).where(Submission.id == submission_id)).one())
        lock(db, task)
        if move(db, submission_id, Status.FINISHED):
            record(db, task, submission_id, standings)
            SUBMISSIONS.labels(task.name, Status.FINISHED, "").inc()
            landed = db.scalar(select(func.max(Evaluation.finished_at)).filter_by(submission_id=submission_id))
            if landed is not None:
                LANDING_SECONDS.labels(task.name).observe((now() - landed).total_seconds())
