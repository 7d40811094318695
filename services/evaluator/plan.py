"""What a submission is evaluated on: one Evaluation row a dataset or perturbed copy, made once, scoring ones first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from dynaboard.database import Database
from dynaboard.phases import TRAINING, phase_of
from dynaboard.tables import Dataset, Evaluation, PerturbedCopy, Submission, new_id

ORDER = {"scoring": 0, "standard": 1, "hidden": 2}
# The statuses of an evaluation.
WAITING, RUNNING, PREDICTED, FINISHED = "waiting", "running", "predicted", "finished"


NO_COPIES: Mapping[str, Sequence[PerturbedCopy]] = {}


@dataclass(frozen=True)
class Unit:
    """One dataset's part of an evaluation, or one copy's. `place` of `places` counts from 1, for people to read."""

    evaluation: Evaluation
    dataset: Dataset
    copy: PerturbedCopy | None
    place: int
    places: int

    @property
    def title(self) -> str:
        """The dataset's name as the submitter may read it: a hidden one's is its owner's secret."""
        name = "a hidden dataset" if self.dataset.role == "hidden" else self.dataset.name
        return name if self.copy is None else f"{name} perturbed for {self.copy.suite}"


def open_datasets(database: Database, task: str) -> list[Dataset]:
    """The datasets every model of a task is evaluated on, in order."""
    with database.begin() as db:
        return datasets_now(db, task)


def datasets_now(db: Session, task: str) -> list[Dataset]:
    """The same, in the caller's transaction."""
    query = select(Dataset).where(Dataset.task == task, Dataset.active)
    found = [dataset for dataset in db.scalars(query) if phase_of(dataset) != TRAINING]
    return sorted(found, key=lambda dataset: (ORDER[dataset.role], dataset.name, dataset.version))


def make_plan(
    database: Database,
    submission: Submission,
    datasets: Sequence[Dataset],
    copies: Mapping[str, Sequence[PerturbedCopy]] = NO_COPIES,
) -> list[Unit]:
    """A row for each dataset and each of its copies that has none yet, and all of them, each copy after its dataset.

    A copy without a variant is left out: there is nothing to run. Rows of copies that another recipe has replaced are
    removed unless they were predicted.
    """
    wanted: list[tuple[Dataset, PerturbedCopy | None]] = []
    for dataset in datasets:
        wanted += [(dataset, None), *((dataset, copy) for copy in copies.get(dataset.id, ()) if copy.variants)]
    rows = [_row(submission, dataset, copy) for dataset, copy in wanted]
    digests = [row["perturbation_digest"] for row in rows]
    of_submission = Evaluation.submission_id == submission.id
    with database.begin() as db:
        replaced = (
            Evaluation.dataset_id.in_([dataset.id for dataset in datasets]),
            Evaluation.perturbation_digest.not_in(["", *digests]),
            Evaluation.predictions_key.is_(None),
        )
        db.execute(delete(Evaluation).where(of_submission, *replaced))
        if rows:
            db.execute(insert(Evaluation).on_conflict_do_nothing(), rows)
        found = {
            (each.dataset_id, each.perturbation, each.perturbation_digest): each
            for each in db.scalars(select(Evaluation).where(of_submission))
        }
    keys = [(row["dataset_id"], row["perturbation"], row["perturbation_digest"]) for row in rows]
    return [
        Unit(found[key], dataset, copy, place, len(wanted))
        for place, (key, (dataset, copy)) in enumerate(zip(keys, wanted, strict=True), start=1)
    ]


def _row(submission: Submission, dataset: Dataset, copy: PerturbedCopy | None) -> dict[str, Any]:
    return {
        "id": new_id(),
        "submission_id": submission.id,
        "dataset_id": dataset.id,
        "perturbation": copy.suite if copy else "",
        "perturbation_digest": copy.digest if copy else "",
        "total": copy.variants if copy else dataset.examples,
        "provenance": saving(copy) if copy else {},
    }


def saving(copy: PerturbedCopy) -> dict[str, Any]:
    """How many texts a perturbation left as they were, so that the model need not be run on them again."""
    return {name: copy.manifest[name] for name in ("spared", "spared_share")}
