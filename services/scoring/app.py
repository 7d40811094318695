"""The scoring service: leaderboards, their changes as events, and a submission's scores."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy import select

from dynaboard import jobs
from dynaboard.app import Worker, service_app
from dynaboard.database import Database
from dynaboard.identity import CallerDep
from dynaboard.nlp_tasks import TASKS
from dynaboard.schemas import LeaderboardView, ScoreView, TaskName
from dynaboard.storage import make_storage
from dynaboard.tables import Board
from services.scoring.boards import MOST_ROWS
from services.scoring.comparison_routes import routes as comparison_routes
from services.scoring.exports.comma_separated import to_csv
from services.scoring.jobs import score
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import ranked
from services.scoring.resampling import Resampled
from services.scoring.settings import ScoringSettings
from services.scoring.submission_scores import submission_scores
from services.scoring.watchers import Watchers

JOBS_AT_ONCE = 2
routes = APIRouter()
QueryDep = Annotated[LeaderboardQuery, Query()]


def create_app(settings: ScoringSettings) -> FastAPI:
    """The service with its worker of the queues "scoring" and "housekeeping"."""
    database = Database(settings.database_url)
    storage = make_storage(settings)
    queue = jobs.make_app(settings.database_url)
    run = partial(score, database, storage, settings.bootstrap_replicates)
    jobs.register(queue, jobs.SCORE, run, database, settings)
    jobs.register_sweep(queue, database, settings)
    worker = Worker(queue, [jobs.QUEUES[jobs.SCORE], jobs.QUEUES[jobs.SWEEP]], JOBS_AT_ONCE)
    app = service_app("scoring", settings, database, worker, [storage.client.close])
    app.state.watchers = Watchers(settings.database_url)
    app.state.resampled = Resampled()
    app.include_router(routes)
    app.include_router(comparison_routes)
    return app


@routes.get("/leaderboards/{task}.csv", response_class=Response)
def leaderboard_csv(task: TaskName, query: QueryDep, request: Request, caller: CallerDep) -> Response:
    """The same board as CSV, up to a thousand rows unless `limit` says fewer."""
    whole = query if "limit" in query.model_fields_set else query.model_copy(update={"limit": MOST_ROWS})
    text = to_csv(leaderboard(task, whole, request, caller))
    name = f'attachment; filename="leaderboard-{task}.csv"'
    return Response(text, media_type="text/csv", headers={"content-disposition": name})


@routes.get("/leaderboards/{task}")
def leaderboard(task: TaskName, query: QueryDep, request: Request, caller: CallerDep) -> LeaderboardView:
    """A task's models ranked under the caller's weights: `weight.METRIC` and `dataset_weight.DATASET`, any scale."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return ranked(db, TASKS[task], query, caller, request.app.state.resampled)


@routes.get("/leaderboards/{task}/events", response_class=EventSourceResponse)
async def leaderboard_events(task: TaskName, request: Request, caller: CallerDep) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events `board`: the newest recorded board at once, then each new one. Fetch the leaderboard anew."""
    watchers: Watchers = request.app.state.watchers
    database: Database = request.app.state.database
    async with watchers.subscribe() as notified:
        yield _event(await asyncio.to_thread(_newest, database, task))
        while True:
            payload = await notified.get()
            board = json.loads(payload) if payload else await asyncio.to_thread(_newest, database, task)
            if board["task"] == task:
                yield _event(board)


def _newest(database: Database, task: str) -> dict[str, Any]:
    with database.begin() as db:
        board = db.scalars(select(Board).where(Board.task == task).order_by(Board.id.desc()).limit(1)).one_or_none()
    return {"task": task, "board": board.id if board else None, "digest": board.digest if board else None}


def _event(board: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(event="board", id=str(board["board"] or 0), data=board)


@routes.get("/submissions/{submission_id}/scores")
def scores(submission_id: str, request: Request, caller: CallerDep) -> list[ScoreView]:
    """Every cell of a submission: metrics, tags and costs, each with its interval and where it comes from."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return submission_scores(db, submission_id, caller)
