"""The first examples of a dataset on which two models answer differently, out of storage."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.errors import NotFound
from dynaboard.nlp_tasks import Task
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import Dataset, Evaluation
from services.scoring.metrics.qa import normalised
from services.scoring.score import fetched
from services.scoring.stored import read_examples, read_predictions


@dataclass(frozen=True)
class Discordant:
    """How many of all examples differ, and the first of them with both predictions."""

    examples: int
    differing: int
    shown: list[tuple[dict[str, Any], str, str]]


def evaluation_of(db: Session, submission_id: str, dataset: Dataset) -> Evaluation:
    """The stored predictions of a submission on a dataset. Raises NotFound."""
    found = db.scalars(
        select(Evaluation).where(
            Evaluation.submission_id == submission_id,
            Evaluation.dataset_id == dataset.id,
            Evaluation.perturbation == "",
            Evaluation.predictions_key.is_not(None),
        )
    ).first()
    if found is None:
        raise NotFound(f"One of the two models has no predictions on {dataset.name} (yet).")
    return found


def discordant(
    storage: Storage, task: Task, dataset: Dataset, two: tuple[Evaluation, Evaluation], most: int
) -> Discordant:
    """Texts are read only as far as the examples that are shown."""
    with fetched(storage, two[0]) as file:
        first = read_predictions(file, task)
    with fetched(storage, two[1]) as file:
        second = read_predictions(file, task)
    differing = {number for number in first if _differ(task, first[number], second[number])}
    shown: list[tuple[dict[str, Any], str, str]] = []
    with storage.open(dataset_key(dataset.digest)) as stream:
        for example in read_examples(stream):
            if len(shown) == min(most, len(differing)):
                break
            if example["id"] in differing:
                shown.append((example, first[example["id"]], second[example["id"]]))
    return Discordant(len(first), len(differing), shown)


def _differ(task: Task, first: str, second: str) -> bool:
    return first != second if task.kind in {"label", "token-labels"} else normalised(first) != normalised(second)
