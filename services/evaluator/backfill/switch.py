"""What a task's owner says about its back-fill: go on by itself, do everything, wait."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from dynaboard.backfill.missing import Inference, Kind
from dynaboard.tables import BackfillRun, BackfillSwitch, now

AUTO, ALL, PAUSED = "auto", "all", "paused"
# What is done without anybody's word: old models see new data. That all are measured or perturbed anew since the
# code or a setting is another, somebody must want.
BY_ITSELF: frozenset[Kind] = frozenset({"data"})
OPEN = ("queued", "running")


def switch_of(db: Session, task: str) -> BackfillSwitch:
    """As it is, or as it is at first; not stored by this."""
    found = db.get(BackfillSwitch, task)
    return found or BackfillSwitch(task=task, mode=AUTO, held=[], changed_by="", changed_at=now())


def allowed(switch: BackfillSwitch, work: Inference) -> bool:
    """Whether this may be queued now."""
    if switch.mode == PAUSED or work.text.dataset_id in switch.held:
        return False
    return switch.mode == ALL or work.kind in BY_ITSELF


def start(db: Session, task: str, caller: str) -> None:
    """Do everything that is missing, held datasets and what failed before too; then go on by itself."""
    _set(db, task, caller, mode=ALL, held=[], retry_from=now())


def pause(db: Session, task: str, caller: str) -> None:
    """Queue nothing more, and stop what runs; the predictions stored so far are kept."""
    _set(db, task, caller, mode=PAUSED)
    db.execute(delete(BackfillRun).where(BackfillRun.task == task, BackfillRun.state.in_(OPEN)))


def resume(db: Session, task: str, caller: str) -> None:
    """Go on with new data by itself."""
    _set(db, task, caller, mode=AUTO)


def hold(db: Session, task: str, dataset_id: str, caller: str) -> None:
    """Let a dataset wait for `start`."""
    _set(db, task, caller, held=[*switch_of(db, task).held, dataset_id])


def all_done(db: Session, task: str) -> None:
    """After `start`, when nothing is left: back to new data alone, lest a change of code runs everything by itself."""
    switch = db.scalars(select(BackfillSwitch).where(BackfillSwitch.task == task, BackfillSwitch.mode == ALL)).first()
    if switch is not None:
        switch.mode = AUTO


def _set(db: Session, task: str, caller: str, **values: object) -> None:
    switch = db.merge(switch_of(db, task))
    for name, value in (values | {"changed_by": caller, "changed_at": now()}).items():
        setattr(switch, name, value)
    db.flush()
