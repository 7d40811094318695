"""The plan of a task's back-fill as it stands now: what is missing, what may run, what each run will take."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from dynaboard.backfill.missing import Inference, missing_inferences
from dynaboard.tables import BackfillRun, BackfillSwitch, Dataset
from dynaboard.task import Task
from services.evaluator.backfill.history import History, history_of
from services.evaluator.backfill.needs import known_of, subjects_of, texts_of
from services.evaluator.backfill.switch import OPEN, allowed, switch_of
from services.evaluator.plan import datasets_now
from services.evaluator.settings import EvaluatorSettings

# As many runs are looked back on for who has had how much.
RECENT = 100


@dataclass(frozen=True)
class Run:
    """What one model lacks, done in one start of it. `waits`: it needs its owner's `start`, or the back-fill paused."""

    work: tuple[Inference, ...]
    seconds: float
    waits: bool

    @property
    def submission_id(self) -> str:
        """The model's version."""
        return self.work[0].subject.submission_id

    @property
    def owner(self) -> str:
        """Whose model it is."""
        return self.work[0].subject.owner

    @property
    def examples(self) -> int:
        """Texts to be predicted."""
        return sum(each.text.examples for each in self.work if each.kind != "measurement")


@dataclass(frozen=True)
class Plan:
    """A task's back-fill: runs that may be queued come before those that wait; `datasets` are those models run on."""

    switch: BackfillSwitch
    datasets: Sequence[Dataset]
    runs: Sequence[Run]
    history: History

    @property
    def ready(self) -> list[Run]:
        """Those that may be queued."""
        return [run for run in self.runs if not run.waits]


def plan_of(db: Session, settings: EvaluatorSettings, task: Task) -> Plan:
    """Read and plan; what is being run now is still missing, and so in the plan."""
    datasets = datasets_now(db, task.name)
    subjects = subjects_of(db, task.name)
    switch = switch_of(db, task.name)
    texts = texts_of(db, settings, task, datasets) if subjects else []
    missing = missing_inferences(subjects, texts, known_of(db, settings, subjects, switch))
    history = history_of(db, subjects) if missing else History({}, {}, history_of(db, ()).usual)
    runs = []
    for waits in (False, True):
        by_model: dict[str, list[Inference]] = defaultdict(list)
        for work in missing:
            if allowed(switch, work) is not waits:
                by_model[work.subject.submission_id].append(work)
        runs += [Run(tuple(work), history.seconds(work), waits) for work in by_model.values()]
    return Plan(switch, datasets, runs, history)


def open_runs(db: Session, task: str | None = None) -> list[BackfillRun]:
    """The runs that are queued or under way, in their order."""
    wanted = select(BackfillRun).where(BackfillRun.state.in_(OPEN)).order_by(BackfillRun.id)
    return list(db.scalars(wanted if task is None else wanted.where(BackfillRun.task == task)))


def served_of(db: Session) -> dict[str, float]:
    """The seconds that each owner was given, by prediction, in the last runs."""
    newest = select(func.max(BackfillRun.id)).scalar_subquery()
    recent = select(BackfillRun.owner, func.sum(BackfillRun.predicted_seconds).label("seconds")).where(
        BackfillRun.id > newest - RECENT
    )
    return {row.owner: row.seconds for row in db.execute(recent.group_by(BackfillRun.owner))}
