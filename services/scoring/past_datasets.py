"""Which datasets a task had at a time, and what each counted for then."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from dynaboard.nlp_tasks import Task
from dynaboard.tables import Dataset, DatasetChange


def datasets_then(db: Session, task: Task, at: datetime) -> list[Dataset]:
    """The version of each dataset that counted, by name, with its role of that time; they are free of the session.

    Without any record of a version its role is today's, and it counted until the next version came.
    """
    record = (
        select(DatasetChange)
        .where(DatasetChange.task == task.name, DatasetChange.created_at <= at)
        .ext(distinct_on(DatasetChange.dataset_id))
        .order_by(DatasetChange.dataset_id, DatasetChange.id.desc())
    )
    then = {change.dataset_id: change for change in db.scalars(record)}
    versions = select(Dataset).where(Dataset.task == task.name, Dataset.created_at <= at)
    found: dict[str, Dataset] = {}
    for dataset in db.scalars(versions.order_by(Dataset.name, Dataset.version.desc())):
        change = then.get(dataset.id)
        if dataset.name in found or (change and not change.active):
            continue
        if change and change.role != dataset.role:
            db.expunge(dataset)
            dataset.role = change.role
        found[dataset.name] = dataset
    return list(found.values())
