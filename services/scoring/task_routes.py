"""Tasks and what their owners set, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from dynaboard.database import Database
from dynaboard.definition_schemas import DefinitionApplied, DefinitionView
from dynaboard.identity import CallerDep
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.schemas import TaskName
from dynaboard.task_bundle import TaskBundle
from dynaboard.task_schemas import SettingsChange, SettingsView, TaskView
from services.scoring.asked_task import TaskDep
from services.scoring.definitions import apply, definition_view
from services.scoring.query import LeaderboardQuery
from services.scoring.settings_view import change_settings, proposed_board, settings_view
from services.scoring.tasks_view import task_views

routes = APIRouter()


@routes.get("/tasks")
def list_tasks(request: Request, caller: CallerDep) -> list[TaskView]:
    """What a model of each task gets, what it must answer, and what ranks it."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return task_views(db, caller)


@routes.get("/tasks/{task}")
def get_definition(task: TaskName, request: Request, caller: CallerDep) -> DefinitionView:
    """The whole definition, as `dynaboard task apply` takes it."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return definition_view(db, task, caller)


@routes.put("/tasks/{task}")
def put_definition(
    task: TaskName, wanted: TaskBundle, request: Request, caller: CallerDep, dry_run: bool = False
) -> DefinitionApplied:
    """Create or change a task; with `dry_run` only say what would change."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return apply(db, task, wanted, caller, dry_run)


@routes.get("/tasks/{task}/settings")
def get_settings(task: TaskDep, request: Request, caller: CallerDep) -> SettingsView:
    """What makes the task's board for whoever chooses nothing, and every version of it."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return settings_view(db, task, caller, request.app.state.resampled)


@routes.put("/tasks/{task}/settings")
def put_settings(task: TaskDep, change: SettingsChange, request: Request, caller: CallerDep) -> SettingsView:
    """Set them anew; the board is recorded and its watchers are told."""
    database: Database = request.app.state.database
    with database.begin() as db:
        change_settings(db, task, change, caller)
    with database.begin() as db:
        return settings_view(db, task, caller, request.app.state.resampled)


@routes.post("/tasks/{task}/settings/preview")
def preview(
    task: TaskDep,
    proposed: SettingsChange,
    query: Annotated[LeaderboardQuery, Query()],
    request: Request,
    caller: CallerDep,
) -> LeaderboardView:
    """The board that these settings would make, shown as the query asks; nothing is stored."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return proposed_board(db, task, proposed, query, caller, request.app.state.resampled)
