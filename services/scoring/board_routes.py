"""Leaderboards over HTTP: as JSON, and in the formats people take with them."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from dynaboard.identity import CallerDep
from dynaboard.leaderboard_schemas import LeaderboardView
from services.scoring.asked_task import TaskDep
from services.scoring.board_answers import Asked, BoardAnswers
from services.scoring.boards import MOST_ROWS
from services.scoring.query import LeaderboardQuery

routes = APIRouter()
QueryDep = Annotated[LeaderboardQuery, Query()]
Extension = Literal["csv", "json", "tex", "md"]


@routes.get("/leaderboards/{task}.{extension}", response_class=Response, responses={200: {"model": LeaderboardView}})
def leaderboard_file(
    task: TaskDep, extension: Extension, query: QueryDep, request: Request, caller: CallerDep
) -> Response:
    """The same board as a file, up to a thousand rows unless `limit` says fewer; always in full detail."""
    given = {} if "limit" in query.model_fields_set else {"limit": MOST_ROWS}
    whole = query.model_copy(update=given | {"detail": "full"})
    answers: BoardAnswers = request.app.state.answers
    return answers.board(Asked(task, whole, caller, extension), request)


@routes.get("/leaderboards/{task}", response_model=LeaderboardView)
def leaderboard(task: TaskDep, query: QueryDep, request: Request, caller: CallerDep) -> Response:
    """A task's models ranked under the caller's weights: `weight.METRIC` and `dataset_weight.DATASET`, any scale."""
    answers: BoardAnswers = request.app.state.answers
    return answers.board(Asked(task, query, caller), request)
