"""The job `fill`: computes what stored predictions lack, dataset by dataset, and records the boards anew."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import groupby

import procrastinate
from sqlalchemy import delete, select, tuple_
from sqlalchemy.dialects.postgresql import insert

from dynaboard.backfill.missing import Stored, Version
from dynaboard.cell_order import in_order
from dynaboard.database import Database
from dynaboard.jobs import FILL, PRIORITY, QUEUES, register
from dynaboard.settings import Settings
from dynaboard.storage import Storage
from dynaboard.tables import BackfillSwitch, EmptyCell, Score
from dynaboard.task import Task
from dynaboard.task_registry import find_task, task_names
from dynaboard.telemetry import FILLED_CELLS, FILLED_EXAMPLES, FILLING_SECONDS
from services.scoring.boards import lock, record
from services.scoring.fill.needs import missing_of
from services.scoring.metrics.plug import MetricFailure
from services.scoring.score import Work, stored_references, works_at
from services.scoring.scored import Scored, sound_cells
from services.scoring.standings import Standings

LOG = logging.getLogger(__name__)
# Works of so many evaluations are read at once.
AT_ONCE = 100
LOOK = "look_for_metrics"


def fill(
    database: Database,
    storage: Storage,
    replicates: int,
    standings: Standings | None = None,
    since: datetime | None = None,
) -> int:
    """Compute every missing metric of every task that is not paused; tells how many evaluations were given some.

    A metric that fails is recorded as such and stops no other. `since`: what failed before then is tried again.
    Safe to run twice, and beside itself: a cell lands once. Raises PlatformFailure where what is stored does not fit.
    """
    filled = 0
    with database.begin() as db:
        tasks = [find_task(db, name) for name in task_names(db)]
    for task in tasks:
        done = sum(1 for _ in _filled(database, storage, replicates, task, since))
        filled += done
        if done:
            with database.begin() as db:
                lock(db, task)
                record(db, task, None, standings or Standings())
    return filled


def register_fill(queue: procrastinate.App, run: Callable[[], int], database: Database, settings: Settings) -> None:
    """When somebody says so, and every minute.

    A metric that came with this program, or with a task's definition, needs nobody to tell of it.
    """

    def body(_: str) -> None:
        run()

    register(queue, FILL, body, database, settings)

    @queue.periodic(cron="* * * * *")
    @queue.task(name=LOOK, queue=QUEUES[FILL], priority=PRIORITY[FILL], queueing_lock=LOOK, lock=FILL)
    def look(timestamp: int) -> None:
        run()


def is_paused(database: Database, task: Task) -> bool:
    """Whether the task's owner has paused its back-fill."""
    with database.begin() as db:
        return db.scalar(select(BackfillSwitch.mode).where(BackfillSwitch.task == task.name)) == "paused"


def _filled(
    database: Database, storage: Storage, replicates: int, task: Task, since: datetime | None
) -> Iterator[Stored]:
    """Each evaluation as its cells have landed; the references of a dataset are read once for all models."""
    with database.begin() as db:
        missing = missing_of(db, task, since)
    for dataset, group in groupby(missing.items(), key=lambda item: item[0].dataset_digest):
        if is_paused(database, task):
            LOG.info("the back-fill of %s is paused", task.name)
            return
        references = None
        for stored, wanted, work in _with_works(database, list(group)):
            references = references or stored_references(storage, work)
            began = time.monotonic()
            scored = sound_cells(storage, work, references, replicates, set(wanted).__contains__)
            _land(database, stored, wanted, scored)
            FILLED_EXAMPLES.labels(task.name).inc(stored.examples)
            FILLING_SECONDS.labels(task.name).inc(time.monotonic() - began)
            yield stored
        LOG.info("filled in the metrics of %s on %s", task.name, dataset[:12])


def _with_works(
    database: Database, group: Sequence[tuple[Stored, list[Version]]]
) -> Iterator[tuple[Stored, list[Version], Work]]:
    for start in range(0, len(group), AT_ONCE):
        some = group[start : start + AT_ONCE]
        with database.begin() as db:
            works = {work.evaluation.id: work for work in works_at(db, [stored.evaluation_id for stored, _ in some])}
        yield from ((stored, wanted, works[stored.evaluation_id]) for stored, wanted in some)


def _land(database: Database, stored: Stored, wanted: Sequence[Version], scored: Scored) -> None:
    """The cells, and a record of the metrics that do not apply or failed: one transaction."""
    found = {(cell["metric"], cell["metric_version"]) for cell in scored.cells if not cell["tag"]}
    key = {
        "model_digest": stored.model_digest,
        "dataset_digest": stored.dataset_digest,
        "perturbation_digest": stored.copy,
    }
    empty = [
        {**key, "metric": name, "metric_version": version, "failure": _detail(scored.failures.get((name, version)))}
        for name, version in wanted
        if (name, version) not in found
    ]
    tried = tuple_(EmptyCell.metric, EmptyCell.metric_version).in_(wanted)
    with database.begin() as db:
        db.execute(delete(EmptyCell).filter_by(**key).where(tried, EmptyCell.failure.is_not(None)))
        if scored.cells:
            in_order(db)
            db.execute(insert(Score).on_conflict_do_nothing(constraint="uq_scores_cell"), scored.cells)
        if empty:
            db.execute(insert(EmptyCell).on_conflict_do_nothing(), empty)
    FILLED_CELLS.inc(len(scored.cells))


def _detail(failure: MetricFailure | None) -> str | None:
    return failure.detail if failure else None
