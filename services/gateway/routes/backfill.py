"""Back-fill: old models on new data, new metrics on old predictions; for task owners."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.routing import APIRoute

from dynaboard.backfill_schemas import BackfillView, FillView, MetricDifference
from dynaboard.schemas import TaskName
from services.gateway.onward import ForAnyone, ForTaskOwner
from services.gateway.parameters import ERRORS, PUBLIC, TaskFilter
from services.gateway.upstreams import EVALUATOR, SCORING

router = APIRouter(tags=["backfill"], responses=ERRORS, route_class=APIRoute)
Version = Annotated[str | None, Query(max_length=16, description="Left out: one of the two newest.")]


@router.get("/backfill", response_model=list[BackfillView], summary="What boards lack of predictions and costs")
async def get_backfill(onward: ForTaskOwner, task: TaskFilter = None) -> Response:
    """Which models are to be run again on what, and how long that will take; before it starts and while it runs."""
    return await onward.to(EVALUATOR)


@router.get("/missing-metrics", response_model=list[FillView], summary="What boards lack of metrics")
async def get_backfill_metrics(onward: ForTaskOwner, task: TaskFilter = None) -> Response:
    """Metrics to be computed from stored predictions; no model is started for them."""
    return await onward.to(SCORING)


@router.post("/backfill/{action}", response_model=BackfillView, summary="Start, pause or resume")
async def steer_backfill(
    onward: ForTaskOwner,
    action: Annotated[Literal["start", "pause", "resume"], Path(description="What to do.")],
    task: Annotated[TaskName, Query(description="Of which task.")],
) -> Response:
    """start: everything that is missing, what was held or has failed too; resume: new data by itself, as at first."""
    return await onward.to(EVALUATOR)


@router.get(
    "/leaderboards/{task}/metrics/{metric}/difference",
    response_model=MetricDifference,
    summary="A metric in two versions",
    openapi_extra=PUBLIC,
)
async def get_metric_difference(
    onward: ForAnyone,
    task: TaskName,
    metric: Annotated[str, Path(pattern="^[A-Za-z][A-Za-z0-9_.+-]{0,99}$")],
    before: Version = None,
    after: Version = None,
) -> Response:
    """Which models of a board move when a metric is corrected."""
    return await onward.to(SCORING)
