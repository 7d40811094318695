"""The worker inside a service: runs queued jobs from when the tables are there until the service is about to end."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import procrastinate
from procrastinate.worker import Worker as Loop
from prometheus_client import Gauge
from sqlalchemy.exc import OperationalError

from dynaboard import migrate
from dynaboard.database import Database
from dynaboard.draining import Draining
from dynaboard.settings import Settings
from dynaboard.telemetry import WORKERS

LOG = logging.getLogger(__name__)
LOOK_AGAIN_S = 1.0


@dataclass(frozen=True)
class Worker:
    """A procrastinate worker that runs inside a service: which queues, and how many jobs at once.

    Jobs that take long listen to `draining`, and end with HandedBack.
    """

    app: procrastinate.App
    queues: Sequence[str]
    concurrency: int
    draining: Draining = field(default_factory=Draining)


@asynccontextmanager
async def working(worker: Worker, database: Database, settings: Settings) -> AsyncIterator[None]:
    """Run jobs while the block lasts, and not after the service's `leaving`; then let those under way end or go."""
    loop, leaving = asyncio.get_running_loop(), worker.draining.leaving
    async with worker.app.open_async():
        jobs = _loop(worker, settings)
        task = asyncio.create_task(_until_leaving(jobs, worker.draining, database))
        for queue in worker.queues:
            _show_alive(task, WORKERS.labels(queue))
        with leaving.told(lambda: loop.call_soon_threadsafe(task.cancel)):
            try:
                yield
            finally:
                leaving.arrive()
                await _ended(jobs, task, worker.app, settings)


def _loop(worker: Worker, settings: Settings) -> Loop:
    return Loop(
        app=worker.app,
        queues=worker.queues,
        concurrency=worker.concurrency,
        # Nobody is told when a lock is free: the job that waited for the one before it is found by looking.
        fetch_job_polling_interval=LOOK_AGAIN_S,
        install_signal_handlers=False,
        shutdown_graceful_timeout=0,  # jobs are told at once, and have `finish_s` to end by themselves
        update_heartbeat_interval=settings.heartbeat_timeout_s / 3,
        stalled_worker_timeout=settings.heartbeat_timeout_s,
        delete_jobs="successful",
    )


async def _until_leaving(jobs: Loop, draining: Draining, database: Database) -> None:
    """procrastinate's worker stops when it loses the database, which may come back: it is then started again."""
    while not draining.leaving.come:
        try:
            await _when_tables_are_there(jobs, database)
        except (OperationalError, procrastinate.exceptions.ConnectorException) as error:
            LOG.warning("the database does not answer the worker: %s", error)
        if not draining.leaving.come:
            LOG.warning("the worker of %s stopped; it is started again", ", ".join(jobs.queues or ()))
            await asyncio.sleep(LOOK_AGAIN_S)


async def _when_tables_are_there(jobs: Loop, database: Database) -> None:
    while not await asyncio.to_thread(migrate.are_current, database):
        LOG.warning("no jobs are run: %s", migrate.OLD)
        await asyncio.sleep(LOOK_AGAIN_S)
    await jobs.run()  # type: ignore[no-untyped-call]  # procrastinate does not type it


async def _ended(jobs: Loop, task: asyncio.Task[None], app: procrastinate.App, settings: Settings) -> None:
    """Wait for the jobs under way, not for long: a thread cannot be interrupted, so its job is given up.

    Whoever sweeps next finds a job without a worker, and queues it again.
    """
    # Longer, and others would take the worker for dead: it has told its last heartbeat.
    await asyncio.wait([task], timeout=min(settings.finish_s, settings.heartbeat_timeout_s / 2))
    if not task.done() and jobs.worker_id is not None:
        LOG.warning("jobs of %s are given up, and resumed elsewhere", ", ".join(jobs.queues or ()))
        await app.job_manager.unregister_worker(jobs.worker_id)


def _show_alive(worker: asyncio.Task[None], alive: Gauge) -> None:
    """Until it ends; if of itself, that is the operator's to see."""
    alive.inc()
    worker.add_done_callback(lambda _: alive.dec())
