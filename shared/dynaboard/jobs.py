"""Queued work: procrastinate on the platform's own PostgreSQL. Status rows are the truth; jobs only drive them."""

import asyncio
import json
import logging
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import procrastinate
from procrastinate import JobContext, RetryStrategy
from procrastinate.job_context import AbortReason
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from dynaboard import advisory_locks, logs
from dynaboard.database import Database
from dynaboard.draining import HandedBack
from dynaboard.errors import ModelFailure, PlatformFailure, readable
from dynaboard.settings import Settings
from dynaboard.status import Status, delay, move
from dynaboard.tables import BackfillRun, Submission, now
from dynaboard.telemetry import JOB_SECONDS, JOBS_RUNNING, SUBMISSIONS

LOG = logging.getLogger(__name__)

EVALUATE = "evaluate"
SCORE = "score"
SWEEP = "sweep"
# Back-fill: decide who is next, run an old submission on what it lacks, compute the metrics that are missing.
PLAN_BACKFILL = "plan_backfill"
BACKFILL = "backfill"
FILL = "fill"
QUEUES = {
    EVALUATE: "evaluator",
    SCORE: "scoring",
    SWEEP: "housekeeping",
    PLAN_BACKFILL: "evaluator",
    BACKFILL: "evaluator",
    FILL: "scoring",
}
# The greater is run first, 0 unless it stands here: a new submission never waits behind back-fill.
PRIORITY = {PLAN_BACKFILL: 1, BACKFILL: -1, FILL: -1}
# What was begun before goes on before others begin.
BEGUN = 1
# How long a worker waits for a connection (seconds) before it takes the database for gone, and is started again.
PATIENCE_S = 10.0

GIVEN_UP = "The platform failed, not your model; it does not count. Retry it."
# What a submission's owner reads meanwhile, when an evaluator was ended and when one was lost.
HANDED_BACK = "Waiting for an evaluator: the one that ran this was asked to end; the next goes on where it was"
TAKEN_OVER = "Waiting for an evaluator: the one that ran this was lost; the next goes on where it was"
AGAIN = "Waiting to be started again"
# And from then on.
WAS_REPLACED, WAS_LOST = "the evaluator that ran it was replaced.", "the evaluator that ran it was lost."
UNEXPECTED = "something failed on the platform's side."

_DEFER = text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(:queue, :task, :priority, :lock, NULL, CAST(:args AS jsonb), NULL)"
    "::procrastinate_job_to_defer_v1])"
)


def defer(db: Session, job: str, submission_id: str = "", priority: int | None = None) -> None:
    """Queue a job in the caller's transaction: it exists if and only if the transaction commits.

    Jobs of one submission share a lock, so that they never run beside each other; so do jobs of one name that are of no
    submission. Back-fill, which is of finished submissions alone, has locks of its own. `priority`: the job's own.
    """
    arguments = json.dumps({"submission_id": submission_id})
    first = PRIORITY.get(job, 0) if priority is None else priority
    values = {"queue": QUEUES[job], "task": job, "priority": first, "args": arguments}
    db.execute(_DEFER, values | {"lock": lock_of(job, submission_id)})


def lock_of(job: str, submission_id: str) -> str:
    """What jobs that must not run beside each other share."""
    return f"{job} {submission_id}" if job == BACKFILL else submission_id or job


def make_app(database_url: str) -> procrastinate.App:
    """The procrastinate application; `register` adds jobs to it."""
    connector = procrastinate.PsycopgConnector(conninfo=database_url, min_size=1, max_size=6, timeout=PATIENCE_S)
    return procrastinate.App(connector=connector)


def register(
    app: procrastinate.App, job: str, run: Callable[[str], None], database: Database, settings: Settings
) -> None:
    """Make `run(submission_id)` the body of a job.

    A ModelFailure ends the submission as failed with its sentence. Anything else is the platform's fault: the job is
    tried again with growing waits, and only when the last attempt fails does the submission fail, as the platform's.
    HandedBack: another worker is to go on with it at once, which is no attempt.
    """
    again = settings.job_attempts - 1  # procrastinate takes 0 for "without end"
    retry = RetryStrategy(max_attempts=again, exponential_wait=3) if again > 0 else False

    @app.task(name=job, queue=QUEUES[job], pass_context=True, retry=retry)
    def wrapped(context: JobContext, *, submission_id: str) -> None:
        logs.submission_id.set(submission_id)
        last = context.job is not None and context.job.attempts >= settings.job_attempts - 1
        started, outcome = time.monotonic(), "ok"
        JOBS_RUNNING.labels(job).inc()
        try:
            run(submission_id)
        except HandedBack:
            outcome = _hand_back(database, job, submission_id)
        except ModelFailure as failure:
            if _is_leaving(context):
                outcome = _hand_back(database, job, submission_id)
            else:
                outcome = "model"
                _end(database, job, submission_id, failure.detail, "model")
        except Exception as error:  # the one place: what nobody expected is logged, retried, and at last told
            outcome = "platform"
            LOG.exception("job %s failed", job)
            if _is_leaving(context):
                outcome = _hand_back(database, job, submission_id)
                return
            if last:
                _end(database, job, submission_id, GIVEN_UP, "platform")
            else:
                why = readable(error.detail) if isinstance(error, PlatformFailure) else UNEXPECTED
                _delay(database, submission_id, AGAIN, why)
            raise
        finally:
            JOBS_RUNNING.labels(job).dec()
            JOB_SECONDS.labels(job, outcome).observe(time.monotonic() - started)


def _is_leaving(context: JobContext) -> bool:
    """Whether the process is on its way out: it stops what its jobs use, which is nobody's fault."""
    return context.abort_reason() == AbortReason.SHUTDOWN


def _hand_back(database: Database, job: str, submission_id: str) -> str:
    """Queue a job anew: it waits for this one, whose lock it shares, to end. Returns the outcome of this one."""
    LOG.info("job %s is handed back", job)
    with database.begin() as db:
        delay(db, submission_id, HANDED_BACK, WAS_REPLACED)
        defer(db, job, submission_id, PRIORITY.get(job, BEGUN))
    return "handed_back"


def fail(database: Database, submission_id: str, reason: str, whose: str) -> None:
    """End a submission as failed, by the fault of the "model" or of the "platform"."""
    with database.begin() as db:
        if move(db, submission_id, Status.FAILED, reason=readable(reason)[:2000], failure=whose):
            task = db.scalar(select(Submission.task).where(Submission.id == submission_id)) or ""
            SUBMISSIONS.labels(task, Status.FAILED, whose).inc()


def fail_backfill(database: Database, submission_id: str, reason: str, failed_on: Sequence[Any] = ()) -> None:
    """End a submission's run of back-fill as failed; the submission stays what it is, with all its results.

    `failed_on`: what of the run the model failed on; left out: all of it.
    """
    running = (BackfillRun.submission_id == submission_id, BackfillRun.state == "running")
    with database.begin() as db:
        for run in db.scalars(select(BackfillRun).where(*running).with_for_update()):
            run.state, run.step, run.reason, run.finished_at = "failed", None, readable(reason)[:2000], now()
            run.failed_on = list(failed_on or run.wanted)


def _end(database: Database, job: str, submission_id: str, reason: str, whose: str) -> None:
    """What becomes of a submission whose job has failed for good."""
    if job == BACKFILL:
        fail_backfill(database, submission_id, reason)
    else:
        fail(database, submission_id, reason, whose)


def register_sweep(app: procrastinate.App, database: Database, settings: Settings) -> None:
    """Every ten seconds, give dead workers' jobs to living ones, and a submission that lost its job a new one."""

    @app.periodic(cron="* * * * * */10")  # the sixth field is seconds
    @app.task(name=SWEEP, queue=QUEUES[SWEEP], queueing_lock=SWEEP)
    async def sweep(timestamp: int) -> None:
        async with advisory_locks.if_free(settings.database_url, SWEEP) as alone:
            if not alone:
                return  # of two sweeps, the slower would take a job from the worker that the faster has given it to
            stalled = await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=settings.heartbeat_timeout_s)
            for job in stalled:
                await _take_over(app, database, settings, job)
            await asyncio.to_thread(readopt, database, settings)


async def _take_over(
    app: procrastinate.App, database: Database, settings: Settings, job: procrastinate.jobs.Job
) -> None:
    """Requeue a dead worker's job; end one that has killed its worker each time."""
    submission_id = str(job.task_kwargs.get("submission_id", ""))
    LOG.warning("job %s of %s lost its worker; attempt %d", job.task_name, submission_id, job.attempts)
    if job.attempts < settings.job_attempts - 1:
        await app.job_manager.retry_job(job, retry_at=datetime.now(UTC))
        await asyncio.to_thread(_delay, database, submission_id, TAKEN_OVER, WAS_LOST)
        return
    await app.job_manager.finish_job(job, procrastinate.jobs.Status.FAILED, delete_job=False)
    reason = "The platform's evaluator died each time it ran this model. Tell the operator."
    await asyncio.to_thread(_end, database, job.task_name, submission_id, reason, "platform")


def _delay(database: Database, submission_id: str, step: str, why: str) -> None:
    with database.begin() as db:
        delay(db, submission_id, step, why)


_WITHOUT_JOB = text(
    "SELECT id, status FROM submissions s WHERE status IN ('submitted', 'running', 'predicted', 'scoring')"
    " AND updated_at < now() - make_interval(secs => :silence) AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs j"
    " WHERE j.lock = s.id AND j.status IN ('todo', 'doing')) FOR UPDATE SKIP LOCKED"
)
NEXT_JOB = {"submitted": EVALUATE, "running": EVALUATE, "predicted": SCORE, "scoring": SCORE}


def readopt(database: Database, settings: Settings) -> None:
    """Queue the job of every submission that waits for one and has none: no submission is ever stuck."""
    with database.begin() as db:
        for submission_id, status in db.execute(_WITHOUT_JOB, {"silence": settings.heartbeat_timeout_s}).all():
            LOG.warning("submission %s is %s and has no job; queueing one", submission_id, status)
            defer(db, NEXT_JOB[status], submission_id)
