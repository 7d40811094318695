"""What a task's owner sets, as it is shown, changed and tried out."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.identity import Caller, Role, require
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Dataset
from dynaboard.task_registry import find_bundle
from dynaboard.task_schemas import SettingsChange, SettingsView, TaskSettings
from services.scoring import boards
from services.scoring.hidden_names import names_to_hide, settings_without
from services.scoring.leaderboard import SCORING, datasets, memory_budget
from services.scoring.query import METRIC_NAMES, LeaderboardQuery
from services.scoring.ranked import shown_of, standing_of
from services.scoring.ranking import Goods
from services.scoring.resampling import Resampled
from services.scoring.standing import Standing
from services.scoring.task_settings import InForce, append, check, history
from services.scoring.view import page, view


def settings_view(db: Session, task: Task, caller: Caller, resampled: Resampled) -> SettingsView:
    """The settings in force, with the weights and the budget that follow from them, and all versions before."""
    standing = standing_of(db, task, LeaderboardQuery(), caller, resampled)
    hide = names_to_hide(db, find_bundle(db, task.name), caller)
    versions = [
        each.model_copy(update={"settings": settings_without(each.settings, hide)}) for each in history(db, task)
    ]
    newest = versions[0] if versions else None
    counted = Goods.of(standing.board, standing.method)
    return SettingsView(
        task=task.name,
        version=standing.settings.version or 0,
        settings=settings_without(standing.settings.settings, hide),
        created_by=newest.created_by if newest else None,
        created_at=newest.created_at if newest else None,
        weights=dict(zip(METRIC_NAMES, counted.weights.tolist(), strict=True)),
        dataset_weights=dict(zip(standing.board.datasets, counted.dataset_weights.tolist(), strict=True)),
        memory_budget_gib=standing.memory_budget_gib,
        history=versions,
    )


def change_settings(db: Session, task: Task, change: SettingsChange, caller: Caller) -> None:
    """Put new settings in force, record the board that they make, and tell its watchers.

    Raises Forbidden for whoever owns no tasks, Invalid for settings that cannot rank, Conflict after another's change.
    """
    require(caller, Role.TASK_OWNER)
    boards.lock(db, task)
    _check(db, task, change, caller)
    if append(db, task, change, caller.name):
        boards.record(db, task)


def proposed_board(
    db: Session, task: Task, proposed: TaskSettings, query: LeaderboardQuery, caller: Caller, resampled: Resampled
) -> LeaderboardView:
    """The board that proposed settings would make; nothing is stored. Raises as `change_settings`."""
    require(caller, Role.TASK_OWNER)
    _check(db, task, proposed, caller)
    standing = standing_of(db, task, query, caller, resampled)
    shown = shown_of(db, _under(db, standing, proposed), query, caller, resampled)
    return view(shown, page(shown), standing.cells)


def _under(db: Session, standing: Standing, proposed: TaskSettings) -> Standing:
    settings = TaskSettings.model_validate(proposed.model_dump(exclude={"based_on"}))
    granted = memory_budget(db, standing.scope.task, standing.results.hardware)
    return standing.under(InForce(None, settings), granted)


def _check(db: Session, task: Task, settings: TaskSettings, caller: Caller) -> None:
    scoring = [dataset.name for dataset in datasets(db, task, caller) if dataset.role == SCORING]
    known = db.scalars(select(Dataset.name).where(Dataset.task == task.name).distinct().order_by(Dataset.name)).all()
    check(settings, METRIC_NAMES, scoring, known)
