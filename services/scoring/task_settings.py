"""A task's settings: the version in force, every version there was, and a new one."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, true
from sqlalchemy.orm import Session

from dynaboard.errors import Conflict
from dynaboard.nlp_tasks import Task
from dynaboard.tables import TaskSetting, now
from dynaboard.task_schemas import SettingsChange, SettingsVersion, TaskSettings
from services.scoring.method import Epsilon, EpsilonMode, Method
from services.scoring.weights import completed, metric_defaults


@dataclass(frozen=True)
class InForce:
    """Settings with their version: 0 where nobody has set any, None where they are only proposed."""

    version: int | None
    settings: TaskSettings

    def method(self, memory_budget_gib: float) -> Method:
        """The ranking of a viewer who chooses nothing; saved memory is counted from so many GiB."""
        epsilon = self.settings.epsilon
        return Method(
            metric_defaults={str(metric): weight for metric, weight in self.settings.weights.items()},
            dataset_defaults=self.settings.dataset_weights,
            base=self.settings.base_metric,
            budgets={"memory": memory_budget_gib},
            epsilon=Epsilon(EpsilonMode(epsilon.mode), epsilon.value),
        )


PAPER_SETTINGS = InForce(0, TaskSettings())


def settings_in_force(db: Session, task: Task, at: datetime | None = None) -> InForce:
    """The newest settings, or the newest of that time."""
    newest = (
        select(TaskSetting)
        .where(TaskSetting.task == task.name, TaskSetting.created_at <= at if at else true())
        .order_by(TaskSetting.version.desc())
        .limit(1)
    )
    found = db.scalars(newest).one_or_none()
    return InForce(found.version, TaskSettings.model_validate(found.settings)) if found else PAPER_SETTINGS


def history(db: Session, task: Task) -> list[SettingsVersion]:
    """Every version, newest first."""
    versions = select(TaskSetting).where(TaskSetting.task == task.name).order_by(TaskSetting.version.desc())
    return [SettingsVersion.model_validate(found, from_attributes=True) for found in db.scalars(versions)]


def append(db: Session, task: Task, change: SettingsChange, by: str) -> bool:
    """Put new settings in force, unless they are already; tells which. Call it with the task's board locked.

    Raises Conflict where the change was made to an older version than the newest.
    """
    newest = settings_in_force(db, task)
    if change.based_on not in (None, newest.version):
        raise Conflict(
            f"Somebody has set version {newest.version} since you read version {change.based_on}; "
            "read the settings again and repeat your change."
        )
    settings = TaskSettings.model_validate(change.model_dump(exclude={"based_on"}))
    if settings == newest.settings:
        return False
    version = (newest.version or 0) + 1
    kept = settings.model_dump(mode="json")
    db.add(TaskSetting(task=task.name, version=version, settings=kept, created_by=by, created_at=now()))
    db.flush()
    return True


def check(settings: TaskSettings, metrics: Iterable[str], scoring: Iterable[str], known: Iterable[str]) -> None:
    """Raise Invalid for settings that cannot rank the datasets `scoring`, or that name one that is not `known`."""
    weights = {str(metric): weight for metric, weight in settings.weights.items()}
    completed("metric", weights, metric_defaults(tuple(metrics), settings.base_metric))
    completed("dataset", settings.dataset_weights, dict.fromkeys(known, 1.0))
    ranked = dict.fromkeys(scoring, 1.0)
    completed("dataset", {name: weight for name, weight in settings.dataset_weights.items() if name in ranked}, ranked)
