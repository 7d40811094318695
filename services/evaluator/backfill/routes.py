"""The HTTP routes of back-fill, for the evaluator's application to include."""

from typing import Literal

from fastapi import APIRouter

from dynaboard.backfill_schemas import BackfillView
from dynaboard.identity import CallerDep, Role, require
from dynaboard.jobs import PLAN_BACKFILL, defer
from dynaboard.schemas import TaskName
from dynaboard.task_registry import find_task, task_names
from services.evaluator.backfill.switch import pause, resume, start
from services.evaluator.backfill.view import backfill_view
from services.evaluator.bench import Bench

STEERING = {"start": start, "pause": pause, "resume": resume}


def make_router(bench: Bench) -> APIRouter:
    """GET /backfill, and POST to start, pause and resume it; for task owners."""
    router = APIRouter(tags=["backfill"])

    @router.get("/backfill")
    def show(caller: CallerDep, task: TaskName | None = None) -> list[BackfillView]:
        """What the boards of a task, or of all, lack of predictions and costs."""
        require(caller, Role.TASK_OWNER)
        with bench.database.begin() as db:
            names = task_names(db) if task is None else [task]
            return [backfill_view(db, bench.settings, find_task(db, name)) for name in names]

    @router.post("/backfill/{action}")
    def steer(action: Literal["start", "pause", "resume"], task: TaskName, caller: CallerDep) -> BackfillView:
        """start: everything, now; pause: nothing, at once; resume: new data by itself, as at first."""
        require(caller, Role.TASK_OWNER)
        with bench.database.begin() as db:
            found = find_task(db, task)
            STEERING[action](db, task, caller.name)
            defer(db, PLAN_BACKFILL)
        with bench.database.begin() as db:
            return backfill_view(db, bench.settings, found)

    return router
