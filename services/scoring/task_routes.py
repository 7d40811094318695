"""Tasks and what their owners set, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dynaboard.database import Database
from dynaboard.identity import CallerDep
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.nlp_tasks import TASKS
from dynaboard.schemas import TaskName
from dynaboard.task_schemas import SettingsChange, SettingsView, TaskView
from services.scoring.query import LeaderboardQuery
from services.scoring.settings_view import change_settings, proposed_board, settings_view
from services.scoring.tasks_view import task_views

routes = APIRouter()


@routes.get("/tasks")
def list_tasks(request: Request, _: CallerDep) -> list[TaskView]:
    """What a model of each task gets, what it must answer, and what ranks it."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return task_views(db)


@routes.get("/tasks/{task}/settings")
def get_settings(task: TaskName, request: Request, caller: CallerDep) -> SettingsView:
    """What makes the task's board for whoever chooses nothing, and every version of it."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return settings_view(db, TASKS[task], caller, request.app.state.resampled)


@routes.put("/tasks/{task}/settings")
def put_settings(task: TaskName, change: SettingsChange, request: Request, caller: CallerDep) -> SettingsView:
    """Set them anew; the board is recorded and its watchers are told."""
    database: Database = request.app.state.database
    with database.begin() as db:
        change_settings(db, TASKS[task], change, caller)
    with database.begin() as db:
        return settings_view(db, TASKS[task], caller, request.app.state.resampled)


@routes.post("/tasks/{task}/settings/preview")
def preview(
    task: TaskName,
    proposed: SettingsChange,
    query: Annotated[LeaderboardQuery, Query()],
    request: Request,
    caller: CallerDep,
) -> LeaderboardView:
    """The board that these settings would make, shown as the query asks; nothing is stored."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return proposed_board(db, TASKS[task], proposed, query, caller, request.app.state.resampled)
