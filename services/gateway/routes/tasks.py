"""The NLP tasks, and what their owners set."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from dynaboard.definition_schemas import DefinitionApplied, DefinitionView
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.schemas import TaskName
from dynaboard.task_bundle import TaskBundle
from dynaboard.task_schemas import SettingsChange, SettingsView, TaskView
from services.gateway.onward import ForAnyone, ForTaskOwner
from services.gateway.parameters import ERRORS, PUBLIC, BoardQueryDep
from services.gateway.upstreams import SCORING

router = APIRouter(prefix="/tasks", tags=["tasks"], responses=ERRORS)


@router.get("", response_model=list[TaskView], summary="List the tasks", openapi_extra=PUBLIC)
async def list_tasks(onward: ForAnyone) -> Response:
    """What a model of each task gets, what it must answer, and what ranks it."""
    return await onward.to(SCORING)


@router.get("/{task}", response_model=DefinitionView, summary="A task's definition", openapi_extra=PUBLIC)
async def get_definition(onward: ForAnyone, task: TaskName) -> Response:
    """All of it, with the settings in force: as `dynaboard task apply` takes it."""
    return await onward.to(SCORING)


@router.put("/{task}", response_model=DefinitionApplied, summary="Define a task")
async def put_definition(
    onward: ForTaskOwner,
    task: TaskName,
    wanted: TaskBundle,
    dry_run: Annotated[bool, Query(description="Only say what would change.")] = False,
) -> Response:
    """Create it or change it. What its models get and answer cannot change once it has datasets or models."""
    return await onward.to(SCORING, wanted)


@router.get("/{task}/settings", response_model=SettingsView, summary="A task's settings", openapi_extra=PUBLIC)
async def get_settings(onward: ForAnyone, task: TaskName) -> Response:
    """What makes the task's board for whoever chooses nothing, and every version of it."""
    return await onward.to(SCORING)


@router.put("/{task}/settings", response_model=SettingsView, summary="Set a task's settings")
async def put_settings(onward: ForTaskOwner, task: TaskName, change: SettingsChange) -> Response:
    """All of them anew: what is left out becomes the paper's default. Whoever watches the board is told."""
    return await onward.to(SCORING, change)


@router.post("/{task}/settings/preview", response_model=LeaderboardView, summary="Try settings out")
async def preview_settings(
    onward: ForTaskOwner, task: TaskName, proposed: SettingsChange, query: BoardQueryDep
) -> Response:
    """The board that these settings would make, shown as the query asks; nothing is stored."""
    return await onward.to(SCORING, proposed)
