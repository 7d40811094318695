"""Models of a board held against one another."""

from fastapi import APIRouter, Response

from dynaboard.comparison_schemas import DiscordanceView, InfluenceView, PairsView, WeightMapView
from dynaboard.schemas import TaskName
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone
from services.gateway.parameters import (
    ERRORS,
    PUBLIC,
    BoardQueryDep,
    DiscordanceQueryDep,
    PairsQueryDep,
    WeightMapQueryDep,
)
from services.gateway.upstreams import SCORING

router = APIRouter(prefix="/leaderboards", tags=["leaderboards"], responses=ERRORS, route_class=JsonRoute)


@router.get("/{task}/pairs", response_model=PairsView, summary="All pairs of models", openapi_extra=PUBLIC)
async def get_pairs(onward: ForAnyone, task: TaskName, query: PairsQueryDep) -> Response:
    """Difference, interval, P(A above B) and corrected p-value of each pair, under your weights.

    With `correction=max-t`, pairs are called different exactly as for the tie groups of the leaderboard.
    """
    return await onward.analyse(SCORING)


@router.get("/{task}/influence", response_model=InfluenceView, summary="Influence on AMRS", openapi_extra=PUBLIC)
async def get_influence(onward: ForAnyone, task: TaskName, query: BoardQueryDep) -> Response:
    """What the exchange rates owe to each model, to epsilon and to the mean of slopes, and whose order that moves."""
    return await onward.analyse(SCORING)


@router.get("/{task}/weight-map", response_model=WeightMapView, summary="Who could be first", openapi_extra=PUBLIC)
async def get_weight_map(onward: ForAnyone, task: TaskName, query: WeightMapQueryDep) -> Response:
    """For each model whether any weights put it first, the nearest such weights, and its region for two of them.

    Polygons are convex, in the plane of the weights of `x` and `y`; the other metrics share the rest as they do now.
    """
    return await onward.analyse(SCORING)


@router.get("/{task}/discordance", response_model=DiscordanceView, summary="Where two differ", openapi_extra=PUBLIC)
async def get_discordance(onward: ForAnyone, task: TaskName, query: DiscordanceQueryDep) -> Response:
    """Tags on which two models differ otherwise than elsewhere, and examples that they answer differently.

    Examples are for whoever signs in: never of hidden sets, and without labels, tags and ids of sets that rank.
    """
    return await onward.analyse(SCORING)
