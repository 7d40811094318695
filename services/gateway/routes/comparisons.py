"""Models of a board held against one another."""

from fastapi import APIRouter, Response

from dynaboard.comparison_schemas import PairsView
from dynaboard.schemas import TaskName
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone
from services.gateway.parameters import ERRORS, PUBLIC, PairsQueryDep
from services.gateway.upstreams import SCORING

router = APIRouter(prefix="/leaderboards", tags=["leaderboards"], responses=ERRORS, route_class=JsonRoute)


@router.get("/{task}/pairs", response_model=PairsView, summary="All pairs of models", openapi_extra=PUBLIC)
async def get_pairs(onward: ForAnyone, task: TaskName, query: PairsQueryDep) -> Response:
    """Difference, interval, P(A above B) and corrected p-value of each pair, under your weights.

    With `correction=max-t`, pairs are called different exactly as for the tie groups of the leaderboard.
    """
    return await onward.to(SCORING)
