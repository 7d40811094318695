"""The difference of two boards over HTTP."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import Field

from dynaboard.board_schemas import BoardDifference, Moment
from dynaboard.database import Database
from dynaboard.errors import Invalid
from dynaboard.identity import CallerDep
from services.scoring.asked_task import TaskDep
from services.scoring.difference_view import difference_view
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import standing_of

routes = APIRouter()


class DifferenceQuery(LeaderboardQuery):
    """The choices for both boards; `limit` and `offset` count models, `as_of` is the later time."""

    before: Annotated[Moment, Field(alias="from", description="The time of the earlier board.")]
    after: Annotated[Moment | None, Field(alias="to", description="The time of the later board; left out: now.")] = None


@routes.get("/leaderboards/{task}/difference")
def board_difference(
    task: TaskDep, query: Annotated[DifferenceQuery, Query()], request: Request, caller: CallerDep
) -> BoardDifference:
    """Why every score changed between two times: terms that sum to the change, and a sentence for each model."""
    if query.as_of is not None:
        raise Invalid("A difference has two times: name them with `from` and `to`, not with `as_of`.")
    if query.after is not None and query.after < query.before:
        raise Invalid("`to` must not lie before `from`.")
    database: Database = request.app.state.database
    with database.begin() as db:
        before, after = (
            standing_of(db, task, query.model_copy(update={"as_of": at}), caller, request.app.state.resampled)
            for at in (query.before, query.after)
        )
    return difference_view(before, after, query, (query.before, query.after or datetime.now(UTC)))
