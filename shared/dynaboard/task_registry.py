"""The tasks of an installation: the newest definition in the database, or else the one that came with the package."""

from datetime import datetime
from functools import lru_cache

from sqlalchemy import Connection, Text, bindparam, cast, select
from sqlalchemy.orm import Session

from dynaboard.errors import NotFound
from dynaboard.nlp_tasks import SHIPPED
from dynaboard.tables import TaskDefinition
from dynaboard.task import Task
from dynaboard.task_bundle import TaskBundle

# Made once: it is asked before every answer.
_NEWEST = (
    select(TaskDefinition.version, cast(TaskDefinition.definition, Text).label("text"))
    .where(TaskDefinition.task == bindparam("task"))
    .order_by(TaskDefinition.version.desc())
    .limit(1)
)


def find_definition(db: Session | Connection, name: str) -> tuple[int, TaskBundle]:
    """The version that counts (0: as it came with the package) and the definition. Raises NotFound."""
    row = db.execute(_NEWEST, {"task": name}).one_or_none()
    if row is not None:
        return row.version, _parsed(row.text)
    if name in SHIPPED:
        return 0, SHIPPED[name]
    known = ", ".join(task_names(db))
    raise NotFound(f"There is no task '{name[:32]}'; there are {known}.")


def find_bundle(db: Session | Connection, name: str) -> TaskBundle:
    """The definition that counts. Raises NotFound."""
    return find_definition(db, name)[1]


def find_task(db: Session | Connection, name: str) -> Task:
    """The task as it counts. Raises NotFound."""
    return find_bundle(db, name).task()


def task_then(db: Session, task: Task, at: datetime) -> Task:
    """The task as it was defined at a time; as it is now if it was not defined yet."""
    then = (
        select(cast(TaskDefinition.definition, Text))
        .where(TaskDefinition.task == task.name, TaskDefinition.created_at <= at)
        .order_by(TaskDefinition.version.desc())
        .limit(1)
    )
    found = db.execute(then).scalar_one_or_none()
    if found is not None:
        return _parsed(found).task()
    return SHIPPED[task.name].task() if task.name in SHIPPED else task


def task_names(db: Session | Connection) -> list[str]:
    """All tasks: those of the paper, then the others by name."""
    added = db.execute(select(TaskDefinition.task).distinct().order_by(TaskDefinition.task)).scalars()
    return [*SHIPPED, *(name for name in added if name not in SHIPPED)]


@lru_cache(maxsize=256)
def _parsed(text: str) -> TaskBundle:
    """Parsed once a text: it is asked for with nearly every request."""
    return TaskBundle.model_validate_json(text)
