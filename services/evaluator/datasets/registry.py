"""The datasets the platform knows: versions are added, never replaced, and the newest is the one models are run on."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from dynaboard.errors import Conflict, Forbidden, Invalid, NotFound
from dynaboard.identity import Caller, Role
from dynaboard.phases import counts, inputs_are_open
from dynaboard.tables import Dataset, Score
from services.evaluator.datasets.registration import Registration
from services.evaluator.datasets.stored import Contents


def lock(db: Session, task: str, name: str) -> None:
    """Until the transaction ends, nobody else adds or changes a version of this dataset."""
    db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"dataset {task} {name}", 0))))


def register(db: Session, registration: Registration, contents: Contents, owner: str) -> tuple[Dataset, bool]:
    """Make the contents the newest, active version, unless they already are it; tells which (True: a new version).

    Concurrent uploads of one name wait for each other. Raises Conflict when the same examples come with other words, or
    are scored under another name while they would wait for their day under this one.
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
        **_schedule(newest, registration),
    )
    check_twins(db, dataset)
    db.add(dataset)
    db.flush()
    return dataset, True


def check_twins(db: Session, dataset: Dataset) -> None:
    """Raise Conflict where the same examples are, or would be, scored under another name while they wait under this."""
    if not counts(dataset) and db.scalar(select(Score.id).where(Score.dataset_digest == dataset.digest).limit(1)):
        raise Conflict("Models have been scored on these very examples already; their labels cannot wait for a day.")
    same = select(Dataset).where(Dataset.digest == dataset.digest, Dataset.id != (dataset.id or ""))
    for twin in db.scalars(same).all():
        dates = [(each.unlabelled_from, each.released_from) for each in (twin, dataset)]
        if dates[0] != dates[1] and not (counts(twin) and counts(dataset)):
            raise Conflict(f"These very examples are there as {twin.name}, with other dates; give both the same.")


def _schedule(newest: Dataset | None, registration: Registration) -> dict[str, datetime | None]:
    """The dates stated, or else those of the version before: a mended test set must not be open by oversight."""
    given = {"unlabelled_from": registration.unlabelled_from, "released_from": registration.released_from}
    if newest is not None and not any(given.values()):
        return {name: getattr(newest, name) for name in given}
    check_order(**given)
    return given


def check_order(unlabelled_from: datetime | None, released_from: datetime | None) -> None:
    """Raise Invalid for labels that would be released before the inputs are open."""
    if unlabelled_from and released_from and released_from < unlabelled_from:
        raise Invalid("released_from is before unlabelled_from: labels cannot be released before the inputs are open.")


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


def readable(db: Session, caller: Caller, dataset_id: str) -> Dataset:
    """One version whose examples the caller may read now. Raises NotFound, and Forbidden before its day."""
    dataset = find_dataset(db, caller, dataset_id)
    if not inputs_are_open(dataset) and not caller.at_least(Role.TASK_OWNER):
        raise Forbidden(f"The inputs of {dataset.name} are opened on {dataset.unlabelled_from:%Y-%m-%d %H:%M %Z}.")
    return dataset


def _check_words(newest: Dataset, registration: Registration) -> None:
    for field, value in registration.stated.items():
        if getattr(newest, field) != value:
            raise Conflict(
                f"Version {newest.version} of {newest.name} has the same examples but another {field}; "
                f"leave {field} out to keep it, or register the file under another name."
            )
