"""The platform's state for a scrape: queues, statuses and newest costs out of the database, and the disk's room.

Asked at most once in `FRESH_S`, however many scrape, over a connection of its own: a scrape neither waits for the pool
nor for a database that hangs. Where the database does not answer the rest of the scrape is given all the same.
"""

import logging
import shutil
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from dynaboard import telemetry
from dynaboard.database import make_engine
from dynaboard.jobs import QUEUES
from dynaboard.settings import Settings
from dynaboard.status import Status
from dynaboard.telemetry import State

LOG = logging.getLogger(__name__)
FRESH_S = 5.0
PATIENCE_S = 2
JOB_STATES = ["waiting", "scheduled", "running", "failed"]
EVALUATION_STATUSES = ["waiting", "running", "predicted", "finished"]
# Those of which something is to be heard while they last; the others wait for a job or for their owner.
ACTIVE = [Status.RUNNING, Status.SCORING]

# Each query gives a row per label set: its labels in order, then the value. Sets that nothing has are there with zero.
_JOBS = """
SELECT queue, wanted, count(job.id)
FROM unnest(CAST(:queues AS text[])) queue CROSS JOIN unnest(CAST(:job_states AS text[])) wanted
LEFT JOIN (
    SELECT id, queue_name, CASE status WHEN 'doing' THEN 'running' WHEN 'failed' THEN 'failed'
        WHEN 'todo' THEN CASE WHEN scheduled_at > now() THEN 'scheduled' ELSE 'waiting' END END AS state
    FROM procrastinate_jobs
) job ON job.queue_name = queue AND job.state = wanted
GROUP BY queue, wanted
"""
_QUEUE_AGE = """
SELECT queue, coalesce(max(extract(epoch FROM now() - waits.since)), 0)
FROM unnest(CAST(:queues AS text[])) queue LEFT JOIN (
    SELECT job.queue_name, greatest(job.scheduled_at, max(event.at)) AS since
    FROM procrastinate_jobs job JOIN procrastinate_events event ON event.job_id = job.id
    WHERE job.status = 'todo' AND coalesce(job.scheduled_at <= now(), true) GROUP BY job.id
) waits ON waits.queue_name = queue
GROUP BY queue
"""
_STALLED = """
SELECT queue, count(job.id) FILTER (
    WHERE coalesce(worker.last_heartbeat < now() - make_interval(secs => :silent_s), true)
)
FROM unnest(CAST(:queues AS text[])) queue
LEFT JOIN procrastinate_jobs job ON job.queue_name = queue AND job.status = 'doing'
LEFT JOIN procrastinate_workers worker ON worker.id = job.worker_id
GROUP BY queue
"""
_SUBMISSIONS = """
SELECT status, count(submission.id) FROM unnest(CAST(:statuses AS text[])) status
LEFT JOIN submissions submission USING (status) GROUP BY status
"""
_SILENCE = """
SELECT status, coalesce(max(extract(epoch FROM now() - submission.updated_at)), 0)
FROM unnest(CAST(:active AS text[])) status LEFT JOIN submissions submission USING (status) GROUP BY status
"""
_EVALUATIONS = """
SELECT status, coalesce(n, 0) FROM unnest(CAST(:evaluation_statuses AS text[])) status
LEFT JOIN (SELECT status, count(*) AS n FROM evaluations GROUP BY status) counted USING (status)
"""
# The newest cells alone are looked at: profiles that measured nothing lately drop out.
_LAST_MEASURED = """
SELECT DISTINCT ON (hardware_profile) hardware_profile, value * {factor} FROM (
    SELECT id, hardware_profile, value FROM measurements WHERE metric = '{metric}' ORDER BY id DESC LIMIT 100
) newest ORDER BY hardware_profile, id DESC
"""
QUERIES: dict[State, str] = {
    telemetry.JOBS: _JOBS,
    telemetry.QUEUE_AGE: _QUEUE_AGE,
    telemetry.STALLED_JOBS: _STALLED,
    telemetry.SUBMISSIONS_NOW: _SUBMISSIONS,
    telemetry.SILENCE: _SILENCE,
    telemetry.EVALUATIONS: _EVALUATIONS,
    telemetry.LAST_THROUGHPUT: _LAST_MEASURED.format(metric="throughput", factor="1"),
    telemetry.LAST_MEMORY: _LAST_MEASURED.format(metric="memory", factor="1073741824"),
    telemetry.LAST_LATENCY: _LAST_MEASURED.format(metric="latency_p50", factor="0.001"),
}


class PlatformState(Collector):
    """Everything one scrape gives: the state, kept for `FRESH_S`, and the series of this process."""

    def __init__(self, settings: Settings) -> None:
        patience_ms = PATIENCE_S * 1000
        limits = {
            "connect_timeout": PATIENCE_S,
            "tcp_user_timeout": patience_ms,
            "options": f"-c statement_timeout={patience_ms}",
        }
        self._engine = make_engine(settings.database_url, poolclass=NullPool, connect_args=limits)
        self._data_dir = settings.data_dir
        self._values = {
            "queues": sorted(set(QUEUES.values())),
            "job_states": JOB_STATES,
            "statuses": list(Status),
            "active": ACTIVE,
            "evaluation_statuses": EVALUATION_STATUSES,
            # A silent worker's jobs are given away after this time; those that stay beyond are what to worry about.
            "silent_s": 2 * settings.heartbeat_timeout_s,
        }
        self._lock = threading.Lock()
        self._kept: list[GaugeMetricFamily] = []
        self._read_at = -FRESH_S

    def collect(self) -> Iterator[Metric]:
        """See prometheus_client. Never raises for what is broken around us: that is counted."""
        with self._lock:
            if time.monotonic() - self._read_at >= FRESH_S:
                self._kept = [*self._database(), *_disk(self._data_dir)]
                self._read_at = time.monotonic()
            kept = self._kept
        yield from kept
        yield from REGISTRY.collect()

    def _database(self) -> list[GaugeMetricFamily]:
        try:
            with self._engine.connect() as connection:
                families = [self._asked(connection, state, query) for state, query in QUERIES.items()]
        except SQLAlchemyError as error:  # which `make_engine` has counted by its kind
            LOG.warning("a scrape lacks the platform's state: %s", error)
            telemetry.SCRAPE_ERRORS.inc()
            return [_family(telemetry.DATABASE_UP, [(0,)])]
        return [_family(telemetry.DATABASE_UP, [(1,)]), *families]

    def _asked(self, connection: Connection, state: State, query: str) -> GaugeMetricFamily:
        return _family(state, connection.execute(text(query), self._values).all())


def _disk(folder: Path) -> list[GaugeMetricFamily]:
    """Room on the disk of the data folder, or of where it will be."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    usage = shutil.disk_usage(there)
    return [_family(telemetry.DISK_FREE, [(usage.free,)]), _family(telemetry.DISK_SIZE, [(usage.total,)])]


def _family(state: State, rows: Iterable[Sequence[Any]]) -> GaugeMetricFamily:
    family = state.family()
    for *labels, value in rows:
        family.add_metric([str(label) for label in labels], float(value))
    return family
