"""The scoring service: leaderboards, their changes as events, and a submission's scores."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy import select

from dynaboard import jobs
from dynaboard.app import service_app
from dynaboard.bundle.signature import SigningKey
from dynaboard.database import Database
from dynaboard.example_schemas import ExamplesQuery, ExamplesView
from dynaboard.identity import CallerDep
from dynaboard.leaderboard_schemas import ScoreView
from dynaboard.storage import make_storage
from dynaboard.tables import Board, now
from dynaboard.worker import Worker
from services.scoring.asked_task import TaskDep
from services.scoring.board_answers import BoardAnswers
from services.scoring.board_routes import routes as board_routes
from services.scoring.bundles.routes import routes as bundle_routes
from services.scoring.comparison_routes import routes as comparison_routes
from services.scoring.difference_routes import routes as difference_routes
from services.scoring.examples import examples_view, sought
from services.scoring.fill.filling import fill, register_fill
from services.scoring.fill.routes import routes as fill_routes
from services.scoring.hardware import routes as hardware_routes
from services.scoring.jobs import score
from services.scoring.metrics import install
from services.scoring.release import register_release
from services.scoring.resampling import Resampled
from services.scoring.settings import ScoringSettings
from services.scoring.snapshot_routes import routes as snapshot_routes
from services.scoring.submission_scores import submission_scores
from services.scoring.task_routes import routes as task_routes
from services.scoring.watchers import END, Watchers

JOBS_AT_ONCE = 2
routes = APIRouter()


def create_app(settings: ScoringSettings) -> FastAPI:
    """The service with its worker of the queues "scoring" and "housekeeping"."""
    install(settings.metrics_path)
    database = Database(settings.database_url)
    storage = make_storage(settings)
    queue = jobs.make_app(settings.database_url)
    resampled = Resampled()
    run = partial(score, database, storage, settings.bootstrap_replicates, standings=resampled.standings)
    jobs.register(queue, jobs.SCORE, run, database, settings)
    fill_all = partial(fill, database, storage, settings.bootstrap_replicates, resampled.standings, now())
    register_fill(queue, fill_all, database, settings)
    jobs.register_sweep(queue, database, settings)
    register_release(queue, database, storage, settings.bootstrap_replicates)
    worker = Worker(queue, [jobs.QUEUES[jobs.SCORE], jobs.QUEUES[jobs.SWEEP]], JOBS_AT_ONCE)
    app = service_app("scoring", settings, database, worker, [storage.client.close])
    app.state.watchers = Watchers(settings.database_url, app.state.draining.closing)
    app.state.resampled = resampled
    app.state.storage = storage
    app.state.signing_key = SigningKey(settings.signing_key) if settings.signing_key else None
    app.state.answers = BoardAnswers(database, resampled)
    app.include_router(board_routes)
    app.include_router(snapshot_routes)
    app.include_router(difference_routes)
    app.include_router(routes)
    app.include_router(comparison_routes)
    app.include_router(task_routes)
    app.include_router(bundle_routes)
    app.include_router(fill_routes)
    app.include_router(hardware_routes)
    return app


@routes.get("/leaderboards/{task}/events", response_class=EventSourceResponse)
async def leaderboard_events(task: TaskDep, request: Request, caller: CallerDep) -> AsyncIterator[ServerSentEvent]:
    """Server-sent events `board`: the newest recorded board at once, then each new one. Fetch the leaderboard anew."""
    watchers: Watchers = request.app.state.watchers
    database: Database = request.app.state.database
    async with watchers.subscribe() as notified:
        yield _event(await asyncio.to_thread(_newest, database, task.name))
        while (payload := await notified.get()) != END:
            board = json.loads(payload) if payload else await asyncio.to_thread(_newest, database, task.name)
            if board["task"] == task.name:
                yield _event(board)


def _newest(database: Database, task: str) -> dict[str, Any]:
    with database.begin() as db:
        board = db.scalars(select(Board).where(Board.task == task).order_by(Board.id.desc()).limit(1)).one_or_none()
    return {"task": task, "board": board.id if board else None, "digest": board.digest if board else None}


def _event(board: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(event="board", id=str(board["board"] or 0), data=board)


@routes.get("/submissions/{submission_id}/examples")
def examples(
    submission_id: str, query: Annotated[ExamplesQuery, Query()], request: Request, caller: CallerDep
) -> ExamplesView:
    """A submission's answers example by example, filtered, beside another's if one is named."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return examples_view(db, request.app.state.storage, sought(db, submission_id, query, caller), query)


@routes.get("/submissions/{submission_id}/scores")
def scores(submission_id: str, request: Request, caller: CallerDep) -> list[ScoreView]:
    """Every cell of a submission: metrics, tags and costs, each with its interval and where it comes from."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return submission_scores(db, submission_id, caller)
