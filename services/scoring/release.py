"""The day that a test set's labels are released: every prediction that waits for it is scored."""

import logging

import procrastinate
from sqlalchemy import exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from dynaboard.cell_order import in_order
from dynaboard.database import Database
from dynaboard.jobs import QUEUES, SWEEP
from dynaboard.status import Status
from dynaboard.storage import Storage
from dynaboard.tables import Dataset, Evaluation, Score, Submission
from dynaboard.task_registry import find_task
from services.scoring.boards import lock, record
from services.scoring.score import works_of
from services.scoring.scored import score_cells

LOG = logging.getLogger(__name__)
RELEASE = "release"


def register_release(queue: procrastinate.App, database: Database, storage: Storage, replicates: int) -> None:
    """Look every ten seconds."""

    @queue.periodic(cron="* * * * * */10")  # the sixth field is seconds
    @queue.task(name=RELEASE, queue=QUEUES[SWEEP], queueing_lock=RELEASE)
    def release(timestamp: int) -> None:
        score_released(database, storage, replicates)


def score_released(database: Database, storage: Storage, replicates: int) -> int:
    """Score what has waited for labels that are released now, and record the boards; tells how many submissions.

    Safe to run twice, and beside itself: a cell lands once.
    """
    with database.begin() as db:
        waiting = _waiting(db)
    scored = [(each, task) for each, task in waiting if _score(database, storage, replicates, each)]
    for name in sorted({task for _, task in scored}):
        LOG.info("labels of %s are released; the board holds their scores", name)
        with database.begin() as db:
            task = find_task(db, name)
            lock(db, task)
            record(db, task)
    return len(scored)


def _score(database: Database, storage: Storage, replicates: int, submission_id: str) -> bool:
    """Whether there was anything to score: a metric need not apply."""
    with database.begin() as db:
        works = works_of(db, submission_id)
    found = False
    for work in works:
        if work.dataset.released_from is None:
            continue
        if cells := score_cells(storage, work, replicates):
            found = True
            with database.begin() as db:
                in_order(db)
                db.execute(insert(Score).on_conflict_do_nothing(constraint="uq_scores_cell"), cells)
    return found


def _waiting(db: Session) -> list[tuple[str, str]]:
    """Finished submissions with predictions on a released test set and not a single score on it, and their tasks."""
    scored = exists().where(
        Score.model_digest == Submission.digest, Score.dataset_digest == Dataset.digest, Score.perturbation_digest == ""
    )
    found = db.execute(
        select(Submission.id, Submission.task)
        .join(Evaluation, Evaluation.submission_id == Submission.id)
        .join(Dataset, Dataset.id == Evaluation.dataset_id)
        .where(Submission.status == Status.FINISHED, Submission.digest.is_not(None))
        .where(Evaluation.perturbation == "", Evaluation.predictions_key.is_not(None))
        .where(Dataset.released_from <= func.now(), ~scored)
        .distinct()
        .order_by(Submission.id)
    )
    return [(row.id, row.task) for row in found]
