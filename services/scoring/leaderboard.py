"""A task's leaderboard out of the database: who is on it, on which datasets, with which cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Select, Subquery, Text, and_, func, or_, select
from sqlalchemy.dialects.postgresql import array, distinct_on
from sqlalchemy.orm import Session

from dynaboard.identity import Caller, Role
from dynaboard.nlp_tasks import Task
from dynaboard.schemas import CellView
from dynaboard.status import Status
from dynaboard.tables import Dataset, HardwareProfile, Measurement, Model, PerturbedCopy, Score, Submission
from services.scoring.board import Board, FloatArray
from services.scoring.metrics import METRICS
from services.scoring.query import METRIC_NAMES

COSTS = ("throughput", "memory")
SUITES = ("fairness", "robustness")
SCORING = "scoring"
HIDDEN = "hidden"
GIB = 2**30
# What a cost was computed from is kept in its cell, and is too long for a table of models.
RAW = array(["blocks", "memory_samples"], type_=Text)


@dataclass(frozen=True)
class Entry:
    """The newest finished version of a model."""

    model_id: str
    submission_id: str
    version: int
    kind: str
    digest: str
    name: str
    owner: str
    anonymous: bool
    published: bool
    baseline: bool

    def owner_for(self, caller: Caller) -> str | None:
        """The owner's name, unless the model is anonymous to this caller."""
        return self.owner if not self.anonymous or caller.may_change(self.owner) else None


def entries(db: Session, task: Task, caller: Caller, unpublished: bool) -> list[Entry]:
    """Published models; with `unpublished`, also those that this caller alone may see."""
    of_model = (Model.name, Model.owner, Model.anonymous, Model.published, Model.baseline)
    of_version = (Submission.id.label("submission_id"), Submission.version, Submission.kind, Submission.digest)
    found = db.execute(
        select(Submission.model_id, *of_version, *of_model)
        .join(Model, Submission.model_id == Model.id)
        .where(Submission.task == task.name, Submission.status == Status.FINISHED, Submission.digest.is_not(None))
        .where(_visible(caller) if unpublished else Model.published)
        .ext(distinct_on(Submission.model_id))
        .order_by(Submission.model_id, Submission.version.desc())
    )
    return [Entry(**row) for row in found.mappings()]


def _visible(caller: Caller) -> ColumnElement[bool]:
    if caller.role == Role.ADMIN:
        return Model.published.in_([True, False])
    if caller.role == Role.ANONYMOUS:
        return Model.published.is_(True)
    return or_(Model.published, Model.owner == caller.name)


def datasets(db: Session, task: Task, caller: Caller) -> list[Dataset]:
    """The newest active version of each dataset, by name; hidden ones for task owners only."""
    newest = (
        select(Dataset)
        .where(Dataset.task == task.name, Dataset.active)
        .ext(distinct_on(Dataset.name))
        .order_by(Dataset.name, Dataset.version.desc())
    )
    return [dataset for dataset in db.scalars(newest) if dataset.role != HIDDEN or caller.at_least(Role.TASK_OWNER)]


@dataclass(frozen=True)
class Results:
    """Selects the cells of a board: the current version of the performance metric, cost on one hardware profile.

    With a `tag`, performance is that on its examples; the other metrics know no tags and stay those of the dataset.
    """

    task: Task
    hardware: str | None
    tag: str = ""

    def metric_of(self, cell_metric: str) -> str:
        """The leaderboard's name of a cell's metric."""
        return "performance" if cell_metric == self.task.performance_metric else cell_metric

    def statements(self, names: Sequence[str], models: Sequence[str]) -> list[Select[Any]]:
        """The named columns of the newest cell of each (model, dataset, metric), from scores and measurements."""
        performance = METRICS[self.task.performance_metric]
        quality = or_(
            and_(
                Score.tag == self.tag,
                Score.metric == performance.name,
                Score.metric_version == str(performance.version),
                Score.perturbation_digest == "",
            ),
            and_(
                Score.tag == "",
                Score.metric.in_(SUITES),
                Score.perturbation_digest.in_(select(_newest_copies().c.digest)),
            ),
        )
        cost = and_(Measurement.metric.in_(COSTS), Measurement.hardware_profile == (self.hardware or ""))
        tables: list[tuple[type[Score | Measurement], ColumnElement[bool]]] = [(Score, quality), (Measurement, cost)]
        return [
            select(*(_column(table, name) for name in names))
            .where(table.model_digest.in_(models), kept)
            .ext(distinct_on(table.model_digest, table.dataset_digest, table.metric))
            .order_by(table.model_digest, table.dataset_digest, table.metric, table.id.desc())
            for table, kept in tables
        ]

    def cells(self, db: Session, models: Sequence[str]) -> dict[tuple[str, str, str], CellView]:
        """The whole cells of these models, by (model digest, dataset digest, leaderboard metric)."""
        names = ("model_digest", "dataset_digest", "metric", *CellView.model_fields.keys() - {"metric"})
        found = {}
        for statement in self.statements(names, models):
            for row in db.execute(statement).mappings():
                cell = CellView(**{name: row[name] for name in CellView.model_fields})
                cell.provenance |= {"model_digest": row["model_digest"], "dataset_digest": row["dataset_digest"]}
                found[row["model_digest"], row["dataset_digest"], self.metric_of(row["metric"])] = cell
        return found

    def board(self, db: Session, listed: Sequence[Entry], scored: Sequence[Dataset]) -> Board:
        """The models' values on the datasets, by model id. A cost measured once for all datasets stands on each."""
        values: dict[tuple[str, str, str], float] = {}
        for statement in self.statements(
            ("model_digest", "dataset_digest", "metric", "value"), [entry.digest for entry in listed]
        ):
            for model, dataset, metric, value in db.execute(statement):
                values[model, dataset, self.metric_of(metric)] = value
        cells: FloatArray = np.full((len(listed), len(scored), len(METRIC_NAMES)), np.nan)
        for row, entry in enumerate(listed):
            for column, dataset in enumerate(scored):
                for depth, metric in enumerate(METRIC_NAMES):
                    found = values.get((entry.digest, dataset.digest, metric), values.get((entry.digest, "", metric)))
                    cells[row, column, depth] = np.nan if found is None else found
        names = tuple(dataset.name for dataset in scored)
        return Board(
            tuple(entry.model_id for entry in listed), names, METRIC_NAMES, cells, _nothing_to_perturb(db, scored)
        )


def _newest_copies() -> Subquery:
    """The newest perturbed copy of each dataset and suite: results on copies of other recipes are not comparable."""
    return (
        select(PerturbedCopy)
        .ext(distinct_on(PerturbedCopy.dataset_digest, PerturbedCopy.suite))
        .order_by(PerturbedCopy.dataset_digest, PerturbedCopy.suite, PerturbedCopy.id.desc())
        .subquery()
    )


def _nothing_to_perturb(db: Session, scored: Sequence[Dataset]) -> frozenset[tuple[str, str]]:
    """The (dataset name, suite) pairs whose newest copy has no variant, such as fairness where nobody is mentioned."""
    newest = _newest_copies()
    empty = db.execute(select(newest.c.dataset_digest, newest.c.suite).where(newest.c.variants == 0))
    names = {dataset.digest: dataset.name for dataset in scored}
    return frozenset((names[digest], suite) for digest, suite in empty if digest in names)


def _column(table: type[Score | Measurement], name: str) -> ColumnElement[Any]:
    if name == "provenance":
        return table.provenance.op("-")(RAW).label(name)
    column: ColumnElement[Any] = getattr(table, name)
    return column


def hardware_of(db: Session, listed: Sequence[Entry]) -> str | None:
    """The hardware profile on which most cells of these models were measured; the newest of equals."""
    count = func.count()
    return db.scalar(
        select(Measurement.hardware_profile)
        .where(Measurement.model_digest.in_([entry.digest for entry in listed]), Measurement.metric.in_(COSTS))
        .group_by(Measurement.hardware_profile)
        .order_by(count.desc(), func.max(Measurement.id).desc())
        .limit(1)
    )


def memory_budget(db: Session, task: Task, hardware: str | None) -> float:
    """GiB from which saved memory is counted: what the hardware profile grants a model, else the task's preset.

    The limit is enforced while a model runs, so what it saves is never negative.
    """
    profile = db.get(HardwareProfile, hardware) if hardware else None
    granted = profile.description.get("limits", {}).get("memory_bytes") if profile else None
    return granted / GIB if granted else task.memory_budget_gib
