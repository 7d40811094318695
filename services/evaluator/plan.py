"""Which datasets a submission is evaluated on: one Evaluation row each, made once, scoring datasets first."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from dynaboard.database import Database
from dynaboard.tables import Dataset, Evaluation, Submission, new_id

ORDER = {"scoring": 0, "standard": 1, "hidden": 2}
# The statuses of an evaluation.
WAITING, RUNNING, PREDICTED, FINISHED = "waiting", "running", "predicted", "finished"


@dataclass(frozen=True)
class Unit:
    """One dataset's part of an evaluation. `place` of `places` counts from 1, for people to read."""

    evaluation: Evaluation
    dataset: Dataset
    place: int
    places: int

    @property
    def title(self) -> str:
        """The dataset's name as the submitter may read it: a hidden one's is its owner's secret."""
        return "a hidden dataset" if self.dataset.role == "hidden" else self.dataset.name


def open_datasets(database: Database, task: str) -> list[Dataset]:
    """The datasets every model of a task is evaluated on, in order."""
    query = select(Dataset).where(Dataset.task == task, Dataset.active, Dataset.phase != "training")
    with database.begin() as db:
        return sorted(db.scalars(query), key=lambda dataset: (ORDER[dataset.role], dataset.name, dataset.version))


def make_plan(database: Database, submission: Submission, datasets: list[Dataset]) -> list[Unit]:
    """A row for each dataset that has none yet, and the rows of all, in the order of the datasets."""
    rows = [
        {"id": new_id(), "submission_id": submission.id, "dataset_id": dataset.id, "total": dataset.examples}
        for dataset in datasets
    ]
    query = select(Evaluation).where(Evaluation.submission_id == submission.id, Evaluation.perturbation == "")
    with database.begin() as db:
        if rows:
            db.execute(insert(Evaluation).on_conflict_do_nothing(), rows)
        by_dataset = {evaluation.dataset_id: evaluation for evaluation in db.scalars(query)}
    return [
        Unit(by_dataset[dataset.id], dataset, place, len(datasets)) for place, dataset in enumerate(datasets, start=1)
    ]
