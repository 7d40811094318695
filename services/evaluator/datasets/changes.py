"""What a dataset counts for, changed by a task's owner; every change is kept, so boards of the past stay."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.board_events import announce
from dynaboard.errors import Conflict, Invalid
from dynaboard.identity import Caller, Role, require
from dynaboard.phases import has_schedule
from dynaboard.schemas import DatasetChange as Wanted
from dynaboard.tables import Dataset, DatasetChange, Score
from services.evaluator.datasets.registry import check_order, check_twins, find_dataset, lock


def change_dataset(db: Session, caller: Caller, dataset_id: str, wanted: Wanted) -> Dataset:
    """Give a version another role or other dates, or make it the active one (or none).

    Raises Forbidden, NotFound, and Conflict for dates that come too late.

    A dataset has one active version at most: activating one ends the other.
    """
    require(caller, Role.TASK_OWNER)
    dataset = find_dataset(db, caller, dataset_id)
    lock(db, dataset.task, dataset.name)
    db.refresh(dataset)
    if wanted.active:
        others = (Dataset.task == dataset.task, Dataset.name == dataset.name, Dataset.id != dataset.id)
        for other in db.scalars(select(Dataset).where(*others, Dataset.active)):
            _set(db, other, other.role, False, caller)
    changed = _reschedule(db, dataset, wanted)
    role = dataset.role if wanted.role is None else wanted.role
    active = dataset.active if wanted.active is None else wanted.active
    if (role, active) != (dataset.role, dataset.active):
        _set(db, dataset, role, active, caller)
        changed = True
    if changed:
        announce(db)
    return dataset


def _reschedule(db: Session, dataset: Dataset, wanted: Wanted) -> bool:
    """Set the dates that are given; tells whether one is another. Raises Conflict once the labels have been used."""
    given = wanted.model_fields_set & {"unlabelled_from", "released_from"}
    dates = {"unlabelled_from": dataset.unlabelled_from, "released_from": dataset.released_from}
    dates |= {name: getattr(wanted, name) for name in given}
    check_order(**dates)
    if all(getattr(dataset, name) == date for name, date in dates.items()):
        return False
    if db.scalar(select(Score.id).where(Score.dataset_digest == dataset.digest).limit(1)):
        raise Conflict("Models have been scored on this dataset already; its labels cannot wait for a day any more.")
    if has_schedule(dataset) and not any(dates.values()):
        raise Invalid("A test set keeps its dates; to release its labels now, set released_from to this moment.")
    dataset.unlabelled_from, dataset.released_from = dates["unlabelled_from"], dates["released_from"]
    check_twins(db, dataset)
    db.flush()
    return True


def _set(db: Session, dataset: Dataset, role: str, active: bool, caller: Caller) -> None:
    if not db.scalar(select(DatasetChange.id).where(DatasetChange.dataset_id == dataset.id).limit(1)):
        first = DatasetChange(task=dataset.task, dataset_id=dataset.id, role=dataset.role, active=dataset.active)
        first.created_by, first.created_at = dataset.created_by, dataset.created_at
        db.add(first)
        db.flush()
    dataset.role, dataset.active = role, active
    db.add(DatasetChange(task=dataset.task, dataset_id=dataset.id, role=role, active=active, created_by=caller.name))
    db.flush()
