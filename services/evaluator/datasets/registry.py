"""The datasets the platform knows: versions are added, never replaced, and the newest is the one models are run on."""

from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from dynaboard.errors import Conflict, NotFound
from dynaboard.identity import Caller, Role
from dynaboard.tables import Dataset
from services.evaluator.datasets.registration import Registration
from services.evaluator.datasets.stored import Contents


def lock(db: Session, task: str, name: str) -> None:
    """Until the transaction ends, nobody else adds or changes a version of this dataset."""
    db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"dataset {task} {name}", 0))))


def register(db: Session, registration: Registration, contents: Contents, owner: str) -> tuple[Dataset, bool]:
    """Make the contents the newest, active version, unless they already are it; tells which (True: a new version).

    Concurrent uploads of one name wait for each other. Raises Conflict when the same examples come with other words.
    Evaluations of earlier submissions on the new version are to be queued in this same transaction.
    """
    task, name = registration.task.name, registration.name
    lock(db, task, name)
    versions = (Dataset.task == task, Dataset.name == name)
    newest = db.scalar(select(Dataset).where(*versions).order_by(Dataset.version.desc()).limit(1))
    if newest and newest.digest == contents.digest:
        _check_words(newest, registration)
        return newest, False
    db.execute(update(Dataset).where(*versions, Dataset.active).values(active=False))
    dataset = Dataset(
        task=task,
        name=name,
        version=newest.version + 1 if newest else 1,
        digest=contents.digest,
        role=registration.role,
        licence=registration.licence,
        citation=registration.citation,
        description=registration.description,
        examples=contents.examples,
        size=contents.size,
        labels=contents.labels,
        tags=contents.tags,
        created_by=owner,
    )
    db.add(dataset)
    db.flush()
    return dataset, True


def list_datasets(db: Session, caller: Caller, task: str | None, all_versions: bool) -> Sequence[Dataset]:
    """The datasets a caller may see, by task and name, the newest version first."""
    wanted = select(Dataset).order_by(Dataset.task, Dataset.name, Dataset.version.desc())
    if task:
        wanted = wanted.where(Dataset.task == task)
    if not all_versions:
        wanted = wanted.where(Dataset.active)
    if not caller.at_least(Role.TASK_OWNER):
        wanted = wanted.where(Dataset.role != "hidden")
    return db.scalars(wanted).all()


def find_dataset(db: Session, caller: Caller, dataset_id: str) -> Dataset:
    """One version. Raises NotFound, also for a hidden one that the caller may not see."""
    dataset = db.get(Dataset, dataset_id)
    if dataset is None or (dataset.role == "hidden" and not caller.at_least(Role.TASK_OWNER)):
        raise NotFound(f"There is no dataset {ascii(dataset_id)[:40]}, or it is not yours to see.")
    return dataset


def labels_are_open(dataset: Dataset) -> bool:
    """Whether labels may be shown: never of sets that rank, nor of hidden ones, nor before the task owner releases."""
    return dataset.role == "standard" and dataset.phase != "test-unlabelled"


def _check_words(newest: Dataset, registration: Registration) -> None:
    for field, value in registration.stated.items():
        if getattr(newest, field) != value:
            raise Conflict(
                f"Version {newest.version} of {newest.name} has the same examples but another {field}; "
                f"leave {field} out to keep it, or register the file under another name."
            )
