"""Back-fill of metrics over HTTP: what is missing, and what another version of a metric changed."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dynaboard.backfill_schemas import FillView, MetricDifference
from dynaboard.database import Database
from dynaboard.identity import CallerDep, Role, require
from dynaboard.schemas import TaskName
from dynaboard.task_registry import find_task, task_names
from services.scoring.asked_task import TaskDep
from services.scoring.fill.difference import metric_difference
from services.scoring.fill.view import fill_view

routes = APIRouter()
Version = Annotated[str | None, Query(max_length=16)]


@routes.get("/missing-metrics")
def missing_metrics(request: Request, caller: CallerDep, task: TaskName | None = None) -> list[FillView]:
    """Which metrics stored predictions lack; they are computed by themselves unless the back-fill is paused."""
    require(caller, Role.TASK_OWNER)
    database: Database = request.app.state.database
    with database.begin() as db:
        return [fill_view(db, find_task(db, name)) for name in ([task] if task else task_names(db))]


@routes.get("/leaderboards/{task}/metrics/{metric}/difference")
def difference(
    task: TaskDep, metric: str, request: Request, _: CallerDep, before: Version = None, after: Version = None
) -> MetricDifference:
    """The models of a board under two versions of a metric, the two newest unless named, and who moved."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return metric_difference(db, task, metric, before, after)
