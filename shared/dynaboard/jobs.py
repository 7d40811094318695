"""Queued work: procrastinate on the platform's own PostgreSQL. Status rows are the truth; jobs only drive them."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime

import procrastinate
from procrastinate import JobContext, RetryStrategy
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from dynaboard import logs
from dynaboard.database import Database
from dynaboard.errors import ModelFailure, readable
from dynaboard.settings import Settings
from dynaboard.status import Status, move
from dynaboard.tables import Submission
from dynaboard.telemetry import JOB_SECONDS, JOBS_RUNNING, SUBMISSIONS

LOG = logging.getLogger(__name__)

EVALUATE = "evaluate"
SCORE = "score"
SWEEP = "sweep"
QUEUES = {EVALUATE: "evaluator", SCORE: "scoring", SWEEP: "housekeeping"}

_DEFER = text(
    "SELECT procrastinate_defer_jobs_v1(ARRAY[ROW(:queue, :task, 0, :lock, NULL, CAST(:args AS jsonb), NULL)"
    "::procrastinate_job_to_defer_v1])"
)


def defer(db: Session, job: str, submission_id: str) -> None:
    """Queue a job in the caller's transaction: it exists if and only if the transaction commits.

    Jobs of one submission share a lock, so that they never run beside each other.
    """
    arguments = json.dumps({"submission_id": submission_id})
    db.execute(_DEFER, {"queue": QUEUES[job], "task": job, "lock": submission_id, "args": arguments})


def make_app(database_url: str) -> procrastinate.App:
    """The procrastinate application; `register` adds jobs to it."""
    return procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=database_url, min_size=1, max_size=6))


def register(
    app: procrastinate.App, job: str, run: Callable[[str], None], database: Database, settings: Settings
) -> None:
    """Make `run(submission_id)` the body of a job.

    A ModelFailure ends the submission as failed with its sentence. Anything else is the platform's fault: the job is
    tried again with growing waits, and only when the last attempt fails does the submission fail, as the platform's.
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
        except ModelFailure as failure:
            outcome = "model"
            fail(database, submission_id, failure.detail, "model")
        except Exception:  # the one place: what nobody expected is logged, retried, and at last told to the user
            outcome = "platform"
            LOG.exception("job %s failed", job)
            if last:
                fail(
                    database,
                    submission_id,
                    "The platform failed, not your model; it does not count. Retry it.",
                    "platform",
                )
            raise
        finally:
            JOBS_RUNNING.labels(job).dec()
            JOB_SECONDS.labels(job, outcome).observe(time.monotonic() - started)


def fail(database: Database, submission_id: str, reason: str, whose: str) -> None:
    """End a submission as failed, by the fault of the "model" or of the "platform"."""
    with database.begin() as db:
        if move(db, submission_id, Status.FAILED, reason=readable(reason)[:2000], failure=whose):
            task = db.scalar(select(Submission.task).where(Submission.id == submission_id)) or ""
            SUBMISSIONS.labels(task, Status.FAILED, whose).inc()


def register_sweep(app: procrastinate.App, database: Database, settings: Settings) -> None:
    """Every ten seconds, give dead workers' jobs to living ones, and a submission that lost its job a new one."""

    @app.periodic(cron="*/10 * * * * *")
    @app.task(name=SWEEP, queue=QUEUES[SWEEP], queueing_lock=SWEEP)
    async def sweep(timestamp: int) -> None:
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
        return
    await app.job_manager.finish_job(job, procrastinate.jobs.Status.FAILED, delete_job=False)
    reason = "The platform's evaluator died each time it ran this model. Tell the operator."
    await asyncio.to_thread(fail, database, submission_id, reason, "platform")


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
