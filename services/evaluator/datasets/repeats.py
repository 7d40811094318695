"""Which examples of a dataset occur twice, or in another dataset of its task: whoever trained on that has seen them."""

import io
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.errors import NotFound
from dynaboard.phases import phase_of
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import Dataset
from dynaboard.task import Task
from services.evaluator.datasets.canonical import read_examples
from services.evaluator.datasets.fingerprints import Prints, fingerprints, repeated, shared


def others_of(db: Session, task: Task, name: str) -> Sequence[Dataset]:
    """The active datasets of a task but those of this name, training sets too: an older version shares by intent."""
    return db.scalars(select(Dataset).where(Dataset.task == task.name, Dataset.active, Dataset.name != name)).all()


def repeats(storage: Storage, task: Task, digest: str, others: Sequence[Dataset]) -> dict[str, Any]:
    """Counts as `Repeats` has them; of each dataset 16 bytes an example are in memory, two at a time."""
    own = stored_prints(storage, task, digest)
    exact, near = repeated(own)
    found = []
    for other in others:
        same, alike = shared(own, stored_prints(storage, task, other.digest))
        if alike:
            named = {"dataset": other.name, "version": other.version, "phase": phase_of(other)}
            found.append(named | {"hidden": other.role == "hidden", "exact": same, "near": alike})
    return {"exact": exact, "near": near, "overlaps": sorted(found, key=lambda each: (-each["near"], each["dataset"]))}


def stored_prints(storage: Storage, task: Task, digest: str) -> Prints:
    """A stored dataset's fingerprints, kept beside it once they were made."""
    key = f"{dataset_key(digest)}.{'-'.join(task.inputs)}.prints"
    try:
        loaded: Prints = np.load(io.BytesIO(storage.get(key)), allow_pickle=False)
    except NotFound:
        with closing(storage.open(dataset_key(digest))) as body:
            loaded = fingerprints(task, read_examples(body))
        packed = io.BytesIO()
        np.save(packed, loaded, allow_pickle=False)
        storage.put(key, packed.getvalue())
    return loaded
