"""Leaderboards under any weights, as JSON, as CSV, and as they change."""

from fastapi import APIRouter, Response

from dynaboard.schemas import LeaderboardView, TaskName
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone
from services.gateway.parameters import ERRORS, PUBLIC, BoardQueryDep, content
from services.gateway.upstreams import EVENTS, SCORING

router = APIRouter(prefix="/leaderboards", tags=["leaderboards"], responses=ERRORS, route_class=JsonRoute)


@router.get(
    "/{task}.csv",
    response_class=Response,
    summary="A leaderboard as CSV",
    responses=content("text/csv"),
    openapi_extra=PUBLIC,
)
async def get_csv(onward: ForAnyone, task: TaskName, query: BoardQueryDep) -> Response:
    """The same board, up to a thousand rows unless `limit` says fewer."""
    return await onward.to(SCORING)


@router.get("/{task}", response_model=LeaderboardView, summary="A leaderboard", openapi_extra=PUBLIC)
async def get_leaderboard(onward: ForAnyone, task: TaskName, query: BoardQueryDep) -> Response:
    """The models of a task, ranked under your weights, and everything that made the numbers.

    Weights are `weight.METRIC` and `dataset_weight.DATASET`, on any scale; what is left out has its default.
    """
    return await onward.to(SCORING)


@router.get(
    "/{task}/events",
    response_class=Response,
    summary="Changes of a leaderboard",
    responses=content("text/event-stream"),
    openapi_extra=PUBLIC,
)
async def get_events(onward: ForAnyone, task: TaskName) -> Response:
    """Server-sent events: `board` at once and again whenever the board has changed. Fetch the leaderboard then."""
    return await onward.to(SCORING, timeout=EVENTS)
