"""Models held against one another, over HTTP: pairs, influence, the map of weights, discordance."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dynaboard.comparison_schemas import DiscordanceView, InfluenceView, PairsView, WeightMapView
from dynaboard.database import Database
from dynaboard.identity import Caller, CallerDep
from dynaboard.nlp_tasks import TASKS
from dynaboard.schemas import TaskName
from services.scoring.comparison_query import PairsQuery, WeightMapQuery
from services.scoring.discordance_query import DiscordanceQuery
from services.scoring.discordance_view import discordance_view
from services.scoring.influence_view import influence_view
from services.scoring.pairs_view import pairs_view
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import considered, standing_of
from services.scoring.view import Shown
from services.scoring.weight_map_view import weight_map_view

routes = APIRouter()


@routes.get("/leaderboards/{task}/pairs")
def pairs(task: TaskName, query: Annotated[PairsQuery, Query()], request: Request, caller: CallerDep) -> PairsView:
    """Every pair of ranked models: difference, interval, P(A above B), and p-values corrected for their number."""
    return pairs_view(_shown(task, query, request, caller), query)


@routes.get("/leaderboards/{task}/influence")
def influence(
    task: TaskName, query: Annotated[LeaderboardQuery, Query()], request: Request, caller: CallerDep
) -> InfluenceView:
    """What the exchange rates owe to each model, to epsilon and to the mean of slopes, and whose order that moves."""
    return influence_view(_shown(task, query, request, caller))


@routes.get("/leaderboards/{task}/weight-map")
def weight_map(
    task: TaskName, query: Annotated[WeightMapQuery, Query()], request: Request, caller: CallerDep
) -> WeightMapView:
    """For each model whether any weights put it first, the nearest such weights, and its region for two of them."""
    return weight_map_view(_shown(task, query, request, caller), query)


@routes.get("/leaderboards/{task}/discordance")
def discordance(
    task: TaskName, query: Annotated[DiscordanceQuery, Query()], request: Request, caller: CallerDep
) -> DiscordanceView:
    """Tags on which two models differ otherwise than elsewhere, and examples that they answer differently."""
    state = request.app.state
    board = LeaderboardQuery(unpublished=query.unpublished)
    with state.database.begin() as db:
        standing = standing_of(db, TASKS[task], board, caller, state.resampled)
        return discordance_view(db, state.storage, standing, query, caller)


def _shown(task: str, query: LeaderboardQuery, request: Request, caller: Caller) -> Shown:
    database: Database = request.app.state.database
    with database.begin() as db:
        shown, _ = considered(db, TASKS[task], query, caller, request.app.state.resampled)
    return shown
