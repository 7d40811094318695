"""Names of hidden datasets, which task owners alone may know, out of what everybody may read of a task."""

from collections.abc import Collection
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.identity import Caller, Role
from dynaboard.tables import Dataset
from dynaboard.task_bundle import TaskBundle
from dynaboard.task_schemas import TaskSettings
from services.scoring.leaderboard import HIDDEN

Settings = TypeVar("Settings", bound=TaskSettings)
Names = Collection[str]


def names_to_hide(db: Session, bundle: TaskBundle, caller: Caller) -> Names:
    """Datasets hidden in all their versions, or only defined so far and to be hidden; from task owners none."""
    if caller.at_least(Role.TASK_OWNER):
        return ()
    known = db.execute(select(Dataset.name, Dataset.role).where(Dataset.task == bundle.name)).all()
    shown = {row.name for row in known if row.role != HIDDEN}
    defined = {each.name for each in bundle.datasets if each.role == HIDDEN}
    return ({row.name for row in known} | defined) - shown


def bundle_without(bundle: TaskBundle, names: Names) -> TaskBundle:
    """The definition without these datasets."""
    return bundle.model_copy(update={"datasets": tuple(each for each in bundle.datasets if each.name not in names)})


def settings_without(settings: Settings, names: Names) -> Settings:
    """The settings without weights of these datasets, which count for nothing while they are hidden."""
    weights = {name: weight for name, weight in settings.dataset_weights.items() if name not in names}
    return settings.model_copy(update={"dataset_weights": weights})
