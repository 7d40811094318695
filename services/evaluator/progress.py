"""What an evaluation is doing, written where its owner looks, and the notice that it is to stop."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import update
from sqlalchemy.orm import Session

from dynaboard.backfill.cost import lasting
from dynaboard.database import Database
from dynaboard.draining import Draining, HandedBack
from dynaboard.errors import ModelFailure
from dynaboard.status import report_step
from dynaboard.tables import Evaluation, now
from services.evaluator.plan import RUNNING, Unit

PERIOD_S = 1.0
Report = Callable[[Session, str, str], bool]


@dataclass
class Count:
    """How far one dataset is. `before_s` was spent by evaluators that were killed, and those seconds count too."""

    unit: Unit
    resumed_at: int
    before_s: float
    done: int
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Time spent on this dataset."""
        return self.before_s + time.monotonic() - self.started

    @property
    def speed(self) -> float:
        """Examples a second since this process began with it."""
        return (self.done - self.resumed_at) / max(time.monotonic() - self.started, 1e-3)

    def sentence(self) -> str:
        """`Predicting nli-stories (1 of 3): 400 of 1,200 examples, about 12 s left`."""
        unit = self.unit
        place = f"Predicting {unit.title} ({unit.place} of {unit.places})"
        counted = f"{self.done:,} of {unit.evaluation.total:,} examples"
        if self.done == self.resumed_at:
            return f"{place}: {counted}"
        return f"{place}: {counted}, about {lasting((unit.evaluation.total - self.done) / self.speed)} left"


class Progress:
    """Written to the database at most once a second, by `watch`.

    `report` writes the step and tells whether to go on. `unit` is what the model was given last.
    """

    def __init__(self, database: Database, submission_id: str, longest_s: float, report: Report = report_step) -> None:
        self.step = "Getting ready"
        self.count: Count | None = None
        self.unit: Unit | None = None
        self._report = report
        self._database = database
        self._submission_id = submission_id
        self._longest_s = longest_s

    def say(self, step: str) -> None:
        """What happens from now on, in plain words."""
        self.step, self.count = step, None

    def begin(self, unit: Unit, done: int) -> Count:
        """Predicting a dataset begins, with `done` predictions already stored; keep the count's `done` up to date."""
        self.count = Count(unit, done, unit.evaluation.seconds, done)
        return self.count

    async def watch(self) -> None:
        """Write until the submission is no longer running, then return.

        Raises ModelFailure when a dataset takes longer than the installation allows.
        """
        while await asyncio.to_thread(self._write):
            await asyncio.sleep(PERIOD_S)

    def _write(self) -> bool:
        count = self.count
        if count is not None and count.seconds > self._longest_s:
            limit = lasting(self._longest_s)
            raise ModelFailure(f"Predicting {count.unit.title} took longer than {limit}; make the model faster.")
        with self._database.begin() as db:
            if not self._report(db, self._submission_id, self.step if count is None else count.sentence()):
                return False
            if count is not None:
                values = {"done": count.done, "seconds": count.seconds, "updated_at": now()}
                running = (Evaluation.id == count.unit.evaluation.id, Evaluation.status == RUNNING)
                db.execute(update(Evaluation).where(*running).values(values))
            return True


async def while_running(work: Coroutine[Any, Any, None], progress: Progress, draining: Draining) -> bool:
    """Do the work while its submission is running. False: it was cancelled meanwhile, and the work cleaned up.

    Raises HandedBack, with the work cleaned up, when this process is about to end.
    """
    working, watching = asyncio.create_task(work), asyncio.create_task(progress.watch())
    leaving = asyncio.create_task(draining.leaving.wait())
    try:
        await asyncio.wait({working, watching, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
            return True
        if leaving.done():
            raise HandedBack
        watching.result()
        return False
    finally:
        for task in (working, watching, leaving):
            task.cancel()
        await asyncio.gather(working, watching, leaving, return_exceptions=True)
