"""Queues the next runs of back-fill: a few at a time, so that a pause and a fair order mean something."""

import logging

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from dynaboard.backfill.turns import in_turn
from dynaboard.jobs import BACKFILL, defer
from dynaboard.tables import BackfillRun
from dynaboard.task_registry import find_task, task_names
from services.evaluator.backfill.planned import Run, open_runs, plan_of, served_of
from services.evaluator.backfill.switch import all_done
from services.evaluator.bench import Bench

LOG = logging.getLogger(__name__)

_WITHOUT_JOB = text(
    "SELECT submission_id FROM backfill_runs r WHERE state IN ('queued', 'running') AND NOT EXISTS"
    " (SELECT 1 FROM procrastinate_jobs j WHERE j.lock = 'backfill ' || r.submission_id"
    " AND j.status IN ('todo', 'doing')) FOR UPDATE SKIP LOCKED"
)


def advance(bench: Bench) -> None:
    """Queue what is next, where there is room. May run anywhere, any number of times: one at a time does it."""
    with bench.database.begin() as db:
        if not db.scalar(select(func.pg_try_advisory_xact_lock(func.hashtextextended("backfill", 0)))):
            return
        for submission_id in db.scalars(_WITHOUT_JOB).all():
            LOG.warning("the back-fill of submission %s has no job; queueing one", submission_id)
            defer(db, BACKFILL, submission_id)
        under_way = {run.submission_id for run in open_runs(db)}
        room = 2 * bench.settings.evaluators - len(under_way)
        if room > 0:
            waiting = [each for each in _ready(db, bench) if each[1].submission_id not in under_way]
            ordered = in_turn(waiting, lambda each: each[1].owner, lambda each: each[1].seconds, served_of(db))
            for task, run in ordered[:room]:
                _queue(db, task, run)


def _ready(db: Session, bench: Bench) -> list[tuple[str, Run]]:
    found = []
    for name in task_names(db):
        plan = plan_of(db, bench.settings, find_task(db, name))
        found += [(name, run) for run in plan.ready]
        if not plan.runs:
            all_done(db, name)
    return found


def _queue(db: Session, task: str, run: Run) -> None:
    wanted = [[each.text.dataset_id, each.text.suite, each.text.copy, each.kind] for each in run.work]
    db.add(
        BackfillRun(
            task=task,
            submission_id=run.submission_id,
            owner=run.owner,
            wanted=wanted,
            predicted_examples=run.examples,
            predicted_seconds=run.seconds,
        )
    )
    defer(db, BACKFILL, run.submission_id)
