"""Models held against one another, over HTTP: pairs, influence, the map of weights, discordance."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from dynaboard.comparison_schemas import DiscordanceView, InfluenceView, PairsView, WeightMapView
from dynaboard.identity import CallerDep
from services.scoring.asked_task import TaskDep
from services.scoring.board_answers import Asked, BoardAnswers
from services.scoring.comparison_query import PairsQuery, WeightMapQuery
from services.scoring.discordance_query import DiscordanceQuery
from services.scoring.discordance_view import discordance_view
from services.scoring.freshness import Token
from services.scoring.influence_view import influence_view
from services.scoring.pairs_view import pairs_view
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import considered, standing_of
from services.scoring.view import Shown
from services.scoring.weight_map_view import weight_map_view

routes = APIRouter()


@routes.get("/leaderboards/{task}/pairs", response_model=PairsView)
def pairs(task: TaskDep, query: Annotated[PairsQuery, Query()], request: Request, caller: CallerDep) -> Response:
    """Every pair of ranked models: difference, interval, P(A above B), and p-values corrected for their number."""
    return _kept(Asked(task, query, caller, "pairs"), request, lambda shown: pairs_view(shown, query))


@routes.get("/leaderboards/{task}/influence", response_model=InfluenceView)
def influence(
    task: TaskDep, query: Annotated[LeaderboardQuery, Query()], request: Request, caller: CallerDep
) -> Response:
    """What the exchange rates owe to each model, to epsilon and to the mean of slopes, and whose order that moves."""
    return _kept(Asked(task, query, caller, "influence"), request, influence_view)


@routes.get("/leaderboards/{task}/weight-map", response_model=WeightMapView)
def weight_map(
    task: TaskDep, query: Annotated[WeightMapQuery, Query()], request: Request, caller: CallerDep
) -> Response:
    """For each model whether any weights put it first, the nearest such weights, and its region for two of them."""
    return _kept(Asked(task, query, caller, "weight-map"), request, lambda shown: weight_map_view(shown, query))


@routes.get("/leaderboards/{task}/discordance")
def discordance(
    task: TaskDep, query: Annotated[DiscordanceQuery, Query()], request: Request, caller: CallerDep
) -> DiscordanceView:
    """Tags on which two models differ otherwise than elsewhere, and examples that they answer differently."""
    state = request.app.state
    board = LeaderboardQuery(unpublished=query.unpublished)
    with state.database.begin() as db:
        standing = standing_of(db, task, board, caller, state.resampled)
        return discordance_view(db, state.storage, standing, query, caller)


def _kept(asked: Asked, request: Request, make: Callable[[Shown], BaseModel]) -> Response:
    """What is made of a board, for as long as the board does not change."""
    state = request.app.state

    def write(token: Token) -> bytes:
        with state.database.begin() as db:
            shown, _ = considered(db, asked.task, asked.query, asked.caller, state.resampled)
        return make(shown).model_dump_json().encode()

    answers: BoardAnswers = state.answers
    return answers.answer(asked, request, write)
