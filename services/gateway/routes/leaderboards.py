"""Leaderboards under any weights, as JSON, as CSV, and as they change."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from dynaboard.board_schemas import BoardDifference, Moment
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.schemas import TaskName
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone
from services.gateway.parameters import ERRORS, PUBLIC, BoardQuery, BoardQueryDep, content
from services.gateway.upstreams import SCORING

FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            media_type: {"schema": {"type": "string"}}
            for media_type in ("text/csv", "application/x-tex", "text/markdown")
        }
        | {"application/json": {"schema": {"$ref": "#/components/schemas/LeaderboardView"}}}
    }
}
router = APIRouter(prefix="/leaderboards", tags=["leaderboards"], responses=ERRORS, route_class=JsonRoute)


@router.get(
    "/{task}.{extension}",
    response_class=Response,
    summary="A leaderboard as a file",
    responses=FILES,
    openapi_extra=PUBLIC,
)
async def get_file(
    onward: ForAnyone, task: TaskName, extension: Literal["csv", "json", "tex", "md"], query: BoardQueryDep
) -> Response:
    """The same board as CSV, JSON, LaTeX (booktabs) or Markdown, with intervals.

    Up to a thousand rows unless `limit` says fewer. The order is stable: by score unless `sort` says otherwise, equal
    scores by the base metric, then by model id; models without a rank last.
    """
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
    return await onward.watch(SCORING)


class DifferenceQuery(BoardQuery):
    """The choices for both boards; `limit` and `offset` count models."""

    before: Moment = Field(
        alias="from", description="The time of the earlier board.", examples=["2026-05-03T12:00:00Z"]
    )
    after: Moment | None = Field(None, alias="to", description="The time of the later board; left out: now.")


@router.get(
    "/{task}/difference",
    response_model=BoardDifference,
    summary="What changed a leaderboard between two times",
    openapi_extra=PUBLIC,
)
async def get_difference(onward: ForAnyone, task: TaskName, query: Annotated[DifferenceQuery, Query()]) -> Response:
    """Each score's change as terms that sum to it (own results, datasets, models that joined …), and in words."""
    return await onward.analyse(SCORING)
