"""The job `fill`: computes what stored predictions lack, dataset by dataset, and records the boards anew."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

import procrastinate
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from dynaboard.backfill.missing import Stored, Version
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
from services.scoring.score import Work, metric_cells, stored_references, works_at
from services.scoring.standings import Standings

LOG = logging.getLogger(__name__)
# Works of so many evaluations are read at once.
AT_ONCE = 100
LOOK = "look_for_metrics"


def fill(database: Database, storage: Storage, replicates: int, standings: Standings | None = None) -> int:
    """Compute every missing metric of every task that is not paused; tells how many evaluations were given some.

    Safe to run twice, and beside itself: a cell lands once. Raises PlatformFailure where what is stored does not fit.
    """
    filled = 0
    with database.begin() as db:
        tasks = [find_task(db, name) for name in task_names(db)]
    for task in tasks:
        done = sum(1 for _ in _filled(database, storage, replicates, task))
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


def _filled(database: Database, storage: Storage, replicates: int, task: Task) -> Iterator[Stored]:
    """Each evaluation as its cells have landed; the references of a dataset are read once for all models."""
    with database.begin() as db:
        missing = missing_of(db, task)
    for dataset, group in groupby(missing.items(), key=lambda item: item[0].dataset_digest):
        if is_paused(database, task):
            LOG.info("the back-fill of %s is paused", task.name)
            return
        references = None
        for stored, wanted, work in _with_works(database, list(group)):
            references = references or stored_references(storage, work)
            began = time.monotonic()
            cells = metric_cells(storage, work, references, replicates, set(wanted).__contains__)
            _land(database, stored, wanted, cells)
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


def _land(database: Database, stored: Stored, wanted: Iterable[Version], cells: Sequence[dict[str, object]]) -> None:
    """The cells, and a record of the metrics that do not apply: one transaction."""
    found = {(cell["metric"], cell["metric_version"]) for cell in cells if not cell["tag"]}
    key = {"model_digest": stored.model_digest, "dataset_digest": stored.dataset_digest}
    empty = [
        {**key, "perturbation_digest": stored.copy, "metric": name, "metric_version": version}
        for name, version in wanted
        if (name, version) not in found
    ]
    with database.begin() as db:
        if cells:
            db.execute(insert(Score).on_conflict_do_nothing(constraint="uq_scores_cell"), cells)
        if empty:
            db.execute(insert(EmptyCell).on_conflict_do_nothing(), empty)
    FILLED_CELLS.inc(len(cells))
