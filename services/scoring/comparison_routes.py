"""Models held against one another, over HTTP: pairs."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dynaboard.comparison_schemas import PairsView
from dynaboard.database import Database
from dynaboard.identity import CallerDep
from dynaboard.nlp_tasks import TASKS
from dynaboard.schemas import TaskName
from services.scoring.comparison_query import PairsQuery
from services.scoring.pairs_view import pairs_view
from services.scoring.ranked import considered

routes = APIRouter()


@routes.get("/leaderboards/{task}/pairs")
def pairs(task: TaskName, query: Annotated[PairsQuery, Query()], request: Request, caller: CallerDep) -> PairsView:
    """Every pair of ranked models: difference, interval, P(A above B), and p-values corrected for their number."""
    database: Database = request.app.state.database
    with database.begin() as db:
        shown, _ = considered(db, TASKS[task], query, caller, request.app.state.resampled)
    return pairs_view(shown, query)
