"""A task's leaderboard out of the database: who is on it, on which datasets, with which cells."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Subquery,
    Text,
    and_,
    case,
    false,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.dialects.postgresql import array, distinct_on
from sqlalchemy.orm import Session

from dynaboard.identity import Caller, Role
from dynaboard.leaderboard_schemas import CellView
from dynaboard.nlp_tasks import Task
from dynaboard.phases import counts
from dynaboard.status import Status
from dynaboard.tables import Board as BoardRecord
from dynaboard.tables import Dataset, HardwareProfile, Measurement, Model, PerturbedCopy, Publication, Score, Submission
from services.scoring.metrics import performance_of
from services.scoring.past_datasets import datasets_then

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


def entries(
    db: Session,
    task: Task,
    caller: Caller,
    unpublished: bool,
    at: datetime | None = None,
    models: Collection[str] | None = None,
) -> list[Entry]:
    """Published models; with `unpublished`, also those that this caller alone may see. `at`: as it was then.

    With `models`, only those of these ids.
    """
    then = _then(task, at) if at else None
    published = then.c.published if then is not None else Model.published
    anonymous = or_(then.c.anonymous, Model.anonymous) if then is not None else Model.anonymous
    of_model = (Model.name, Model.owner, anonymous.label("anonymous"), published.label("published"), Model.baseline)
    of_version = (Submission.id.label("submission_id"), Submission.version, Submission.kind, Submission.digest)
    wanted = (
        select(Submission.model_id, *of_version, *of_model)
        .join(Model, Submission.model_id == Model.id)
        .where(Submission.task == task.name, Submission.digest.is_not(None))
        .where(Submission.model_id.in_(models) if models is not None else true())
        .where(or_(published, _own(caller)) if unpublished else published)
        .ext(distinct_on(Submission.model_id))
        .order_by(Submission.model_id, Submission.version.desc())
    )
    if then is not None:
        landed = _landed(task)
        wanted = wanted.join(then, then.c.model_id == Model.id).outerjoin(landed, landed.c.id == Submission.id)
        wanted = wanted.where(func.coalesce(landed.c.at, Submission.finished_at) <= at)
    else:
        wanted = wanted.where(Submission.status == Status.FINISHED)
    return [Entry(**row) for row in db.execute(wanted).mappings()]


def _own(caller: Caller) -> ColumnElement[bool]:
    """The models that the caller may see although they are not published."""
    if caller.role == Role.ADMIN:
        return true()
    return false() if caller.role == Role.ANONYMOUS else Model.owner == caller.name


def _then(task: Task, at: datetime) -> Subquery:
    """Whether each model was published and anonymous at that time; one without any record is as it is now."""
    record = (
        select(Publication)
        .where(Publication.task == task.name, Publication.created_at <= at)
        .ext(distinct_on(Publication.model_id))
        .order_by(Publication.model_id, Publication.id.desc())
        .subquery()
    )
    recorded = select(Publication.model_id).where(Publication.task == task.name)
    return (
        select(
            Model.id.label("model_id"),
            func.coalesce(record.c.published, and_(Model.published, Model.id.not_in(recorded))).label("published"),
            func.coalesce(record.c.anonymous, Model.anonymous).label("anonymous"),
        )
        .outerjoin(record, record.c.model_id == Model.id)
        .where(Model.task == task.name, Model.created_at <= at)
        .subquery()
    )


def _landed(task: Task) -> Subquery:
    """When each submission was first on the board; a later run, on a dataset added since, does not take it off."""
    first = func.min(BoardRecord.created_at).label("at")
    return (
        select(BoardRecord.submission_id.label("id"), first)
        .where(BoardRecord.task == task.name, BoardRecord.submission_id.is_not(None))
        .group_by(BoardRecord.submission_id)
        .subquery()
    )


def datasets(db: Session, task: Task, caller: Caller, at: datetime | None = None) -> list[Dataset]:
    """The newest active version of each dataset, by name; hidden ones for task owners only. `at`: as it was then.

    What is hidden today is hidden in the past too; a test set counts from the day that its labels are released.
    """
    newest = (
        select(Dataset)
        .where(Dataset.task == task.name, Dataset.active)
        .ext(distinct_on(Dataset.name))
        .order_by(Dataset.name, Dataset.version.desc())
    )
    known = datasets_then(db, task, at) if at else db.scalars(newest).all()
    found = [dataset for dataset in known if counts(dataset, at)]
    if caller.at_least(Role.TASK_OWNER):
        return found
    hidden = set(db.scalars(select(Dataset.id).where(Dataset.task == task.name, Dataset.role == HIDDEN)))
    return [dataset for dataset in found if dataset.role != HIDDEN and dataset.id not in hidden]


# (model digest, dataset digest or "", leaderboard metric) -> the table and the id of its cell
Places = dict[tuple[str, str, str], tuple[str, int]]


@dataclass(frozen=True)
class Found:
    """Cells, and where they are, by (model digest, dataset digest, leaderboard metric)."""

    cells: dict[tuple[str, str, str], CellView]
    places: Places


@dataclass(frozen=True)
class Results:
    """Selects the cells of a board: the current version of the performance metric, cost of one machine and protocol.

    With a `tag`, performance is that on its examples, and so are the suites of the (dataset digest, suite) pairs that
    are `sliced`; all else stays that of the dataset. `at`: what was known at that time.
    """

    task: Task
    hardware: str | None
    tag: str = ""
    at: datetime | None = None
    sliced: frozenset[tuple[str, str]] = frozenset()
    protocol: str = ""

    def metric_of(self, cell_metric: str) -> str:
        """The leaderboard's name of a cell's metric."""
        return "performance" if cell_metric == self.task.performance_metric else cell_metric

    def statements(self, names: Sequence[str], models: Sequence[str]) -> list[Select[Any]]:
        """The named columns of the newest cell of each (model, dataset, metric), from scores and measurements."""
        performance = performance_of(self.task)
        quality = or_(
            and_(
                Score.tag == self.tag,
                Score.metric == performance.name,
                # Of a board of the past the newest cells are those of the version that was computed then.
                true() if self.at else Score.metric_version == str(performance.version),
                Score.perturbation_digest == "",
            ),
            and_(
                self._tag_of_suites() == Score.tag,
                Score.metric.in_(SUITES),
                Score.perturbation_digest.in_(select(_newest_copies(self.at).c.digest)),
            ),
        )
        cost = and_(
            Measurement.metric.in_(COSTS),
            Measurement.hardware_profile == (self.hardware or ""),
            Measurement.protocol_version == self.protocol,
        )
        tables: list[tuple[type[Score | Measurement], ColumnElement[bool]]] = [(Score, quality), (Measurement, cost)]
        return [
            select(*(_column(table, name) for name in names))
            .where(table.model_digest.in_(models), kept, table.created_at <= self.at if self.at else true())
            .ext(distinct_on(table.model_digest, table.dataset_digest, table.metric))
            .order_by(table.model_digest, table.dataset_digest, table.metric, table.id.desc())
            for table, kept in tables
        ]

    def _tag_of_suites(self) -> ColumnElement[str]:
        whole: ColumnElement[str] = literal("")
        if not self.sliced:
            return whole
        return case((tuple_(Score.dataset_digest, Score.metric).in_(self.sliced), self.tag), else_=whole)

    def cells(self, db: Session, models: Sequence[str]) -> Found:
        """The whole cells of these models."""
        fields = tuple(CellView.model_fields)
        names = ("id", "model_digest", "dataset_digest", *fields)
        found = Found({}, {})
        for table, statement in zip(("scores", "measurements"), self.statements(names, models), strict=True):
            for row in db.execute(statement).mappings():
                key = (row["model_digest"], row["dataset_digest"], self.metric_of(row["metric"]))
                cell = CellView(**{name: row[name] for name in fields})
                cell.provenance |= {"model_digest": row["model_digest"], "dataset_digest": row["dataset_digest"]}
                found.cells[key], found.places[key] = cell, (table, row["id"])
        return found


def sliced(db: Session, models: Sequence[str], tag: str, at: datetime | None) -> frozenset[tuple[str, str]]:
    """The (dataset digest, suite) pairs that every model that has them at all has on the examples of a tag, too.

    Where one lacks them (it was scored by an older version, say), all are compared on the whole dataset.
    """
    counts = (
        select(Score.dataset_digest, Score.metric, Score.tag, func.count(Score.model_digest.distinct()))
        .where(Score.model_digest.in_(models), Score.metric.in_(SUITES), Score.tag.in_(["", tag]))
        .where(Score.perturbation_digest.in_(select(_newest_copies(at).c.digest)))
        .where(Score.created_at <= at if at else true())
        .group_by(Score.dataset_digest, Score.metric, Score.tag)
    )
    found = {(dataset, suite, of): count for dataset, suite, of, count in db.execute(counts)}
    return frozenset((dataset, suite) for dataset, suite, of in found
                     if of == tag and found[dataset, suite, tag] == found.get((dataset, suite, ""), 0))  # fmt: skip


def _newest_copies(at: datetime | None) -> Subquery:
    """The newest perturbed copy of each dataset and suite: results on copies of other recipes are not comparable."""
    return (
        select(PerturbedCopy)
        .where(PerturbedCopy.created_at <= at if at else true())
        .ext(distinct_on(PerturbedCopy.dataset_digest, PerturbedCopy.suite))
        .order_by(PerturbedCopy.dataset_digest, PerturbedCopy.suite, PerturbedCopy.id.desc())
        .subquery()
    )


def nothing_to_perturb(
    db: Session, scored: Sequence[Dataset], at: datetime | None = None
) -> frozenset[tuple[str, str]]:
    """The (dataset name, suite) pairs whose newest copy has no variant, such as fairness where nobody is mentioned."""
    newest = _newest_copies(at)
    empty = db.execute(select(newest.c.dataset_digest, newest.c.suite).where(newest.c.variants == 0))
    names = {dataset.digest: dataset.name for dataset in scored}
    return frozenset((names[digest], suite) for digest, suite in empty if digest in names)


def _column(table: type[Score | Measurement], name: str) -> ColumnElement[Any]:
    if name == "provenance":
        return table.provenance.op("-")(RAW).label(name)
    column: ColumnElement[Any] = getattr(table, name)
    return column


def hardware_of(db: Session, listed: Sequence[Entry], at: datetime | None = None) -> str | None:
    """The hardware profile on which most cells of these models were measured; the newest of equals."""
    count = func.count()
    return db.scalar(
        select(Measurement.hardware_profile)
        .where(Measurement.model_digest.in_([entry.digest for entry in listed]), Measurement.metric.in_(COSTS))
        .where(Measurement.created_at <= at if at else true())
        .group_by(Measurement.hardware_profile)
        .order_by(count.desc(), func.max(Measurement.id).desc())
        .limit(1)
    )


def protocol_of(db: Session, listed: Sequence[Entry], hardware: str | None, at: datetime | None = None) -> str:
    """The version of the measuring protocol of most cells of these models on this hardware; the newest of equals.

    Numbers of two versions do not compare; those that are not shown stay beside them.
    """
    count = func.count()
    found = db.scalar(
        select(Measurement.protocol_version)
        .where(Measurement.model_digest.in_([entry.digest for entry in listed]), Measurement.metric.in_(COSTS))
        .where(Measurement.hardware_profile == (hardware or ""), Measurement.created_at <= at if at else true())
        .group_by(Measurement.protocol_version)
        .order_by(count.desc(), func.max(Measurement.id).desc())
        .limit(1)
    )
    return found or ""


def memory_budget(db: Session, task: Task, hardware: str | None) -> float:
    """GiB from which saved memory is counted: what the hardware profile grants a model, else the task's preset.

    The limit is enforced while a model runs, so what it saves is never negative.
    """
    profile = db.get(HardwareProfile, hardware) if hardware else None
    granted = profile.description.get("limits", {}).get("memory_bytes") if profile else None
    return granted / GIB if granted else task.memory_budget_gib
