"""What a dataset counts for, changed by a task's owner; every change is kept, so boards of the past stay."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.board_events import announce
from dynaboard.identity import Caller, Role, require
from dynaboard.schemas import DatasetChange as Wanted
from dynaboard.tables import Dataset, DatasetChange
from services.evaluator.datasets.registry import find_dataset, lock


def change_dataset(db: Session, caller: Caller, dataset_id: str, wanted: Wanted) -> Dataset:
    """Give a version another role, or make it the active one (or none). Raises Forbidden and NotFound.

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
    role = dataset.role if wanted.role is None else wanted.role
    active = dataset.active if wanted.active is None else wanted.active
    if (role, active) != (dataset.role, dataset.active):
        _set(db, dataset, role, active, caller)
        announce(db)
    return dataset


def _set(db: Session, dataset: Dataset, role: str, active: bool, caller: Caller) -> None:
    if not db.scalar(select(DatasetChange.id).where(DatasetChange.dataset_id == dataset.id).limit(1)):
        first = DatasetChange(task=dataset.task, dataset_id=dataset.id, role=dataset.role, active=dataset.active)
        first.created_by, first.created_at = dataset.created_by, dataset.created_at
        db.add(first)
        db.flush()
    dataset.role, dataset.active = role, active
    db.add(DatasetChange(task=dataset.task, dataset_id=dataset.id, role=role, active=active, created_by=caller.name))
    db.flush()
