"""Whether a task's leaderboard can have changed: one question to the database that a million results do not slow."""

from typing import NamedTuple

from sqlalchemy import Connection, String, bindparam, cast, func, literal, select
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.orm import Session

from dynaboard.nlp_tasks import Task
from dynaboard.tables import Board, Dataset, Measurement, PerturbedCopy, Publication, Score, TaskSetting


class Token(NamedTuple):
    """The newest id of everything that a board is made of; of the datasets, a digest of all. None: there is none."""

    board: str | None
    publication: str | None
    setting: str | None
    score: str | None
    measurement: str | None
    copy_: str | None
    datasets: str | None

    @property
    def others(self) -> tuple[str | None, ...]:
        """What is neither a landing, nor a publication, nor a cell."""
        return self.setting, self.copy_, self.datasets


_TASK = bindparam("task", type_=String)
_DATES = (
    func.coalesce(cast(day <= func.now(), String), "-") for day in (Dataset.unlabelled_from, Dataset.released_from)
)
_DATASET = func.concat_ws(" ", Dataset.id, Dataset.role, Dataset.active, *_DATES)
_PARTS = (
    select(func.max(Board.id)).where(Board.task == _TASK),
    select(func.max(Publication.id)).where(Publication.task == _TASK),
    select(func.max(TaskSetting.id)).where(TaskSetting.task == _TASK),
    select(func.max(Score.id)),
    select(func.max(Measurement.id)),
    select(func.max(PerturbedCopy.id)),
    select(func.md5(func.string_agg(_DATASET, aggregate_order_by(literal(","), Dataset.id)))).where(
        Dataset.task == _TASK
    ),
)
# Made once: it is asked before every answer.
_QUESTION = select(*(cast(part.scalar_subquery(), String) for part in _PARTS))


def freshness(db: Session | Connection, task: Task) -> Token:
    """Equal tokens, read one after the other, mean that nothing has landed, been published or replaced in between.

    Landings and publications of a task are written one at a time, and so are cells and copies (dynaboard.cell_order):
    their newest ids tell all.
    """
    return Token._make(db.execute(_QUESTION, {"task": task.name}).one())
