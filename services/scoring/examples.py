"""A model's answers example by example: filtered by numbers in memory, texts read only of those that are shown."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from dynaboard.errors import Forbidden, Invalid, NotFound
from dynaboard.example_schemas import ExamplesQuery, ExamplesView, ShownExample
from dynaboard.identity import Caller, Role, require
from dynaboard.phases import counts, labels_are_open
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import Dataset, Model, Submission
from dynaboard.task import Task
from dynaboard.task_registry import find_task
from services.scoring.board import BoolArray, IntArray
from services.scoring.discordant_examples import evaluation_of
from services.scoring.leaderboard import HIDDEN
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.classification import right
from services.scoring.metrics.coded import each_pair
from services.scoring.metrics.qa import exact_matches, normalised
from services.scoring.score import fetched
from services.scoring.stored import References, read_answers, read_examples, read_references

# So many answers of somebody else's model on a set that ranks are an impression; all of them are its predictions, which
# are their owner's, and of a good model nearly the labels.
MOST_OF_OTHERS = 100
CLOSED = "The labels of this set are not shown, so neither is which answers are right, nor its tags."


@dataclass(frozen=True)
class Sought:
    """What is looked into, and whether its labels may be shown to the caller."""

    task: Task
    dataset: Dataset
    submissions: tuple[str, ...]
    open: bool


def sought(db: Session, submission_id: str, query: ExamplesQuery, caller: Caller) -> Sought:
    """Raises NotFound, Forbidden for what its phase closes, Invalid for a filter that would tell labels."""
    require(caller, Role.READER)
    submissions = (submission_id, query.other) if query.other else (submission_id,)
    rows = [_seen(db, each, caller) for each in submissions]
    if len({row.task for row in rows}) > 1:
        raise Invalid("other must be a submission to the same task.")
    if query.filter == "differs" and not query.other:
        raise Invalid("The filter differs needs `other`, the submission to compare with.")
    owner = caller.at_least(Role.TASK_OWNER)
    task = find_task(db, rows[0].task)
    dataset = _dataset(db, task, query, owner=owner)
    is_open = owner or labels_are_open(dataset)
    if not counts(dataset) and not owner:
        raise Forbidden(f"Answers on {dataset.name} are shown once its labels are released.")
    if not is_open and (query.filter in {"wrong", "right"} or query.tag):
        raise Forbidden(CLOSED)
    own = all(caller.may_change(row.owner) for row in rows)
    if not (is_open or own) and query.offset + query.limit > MOST_OF_OTHERS:
        raise Forbidden(f"On a set that ranks, the first {MOST_OF_OTHERS} answers of others' models are shown.")
    return Sought(task, dataset, submissions, is_open)


def _seen(db: Session, submission_id: str, caller: Caller) -> Row[str, str, bool]:
    row = db.execute(
        select(Submission.task, Model.owner, Model.published)
        .join(Model, Model.id == Submission.model_id)
        .where(Submission.id == submission_id)
    ).one_or_none()
    if row is None or not caller.may_see(row.owner, row.published):
        raise NotFound(f"There is no submission {submission_id[:40]}, or it is not yours to see.")
    return row


def _dataset(db: Session, task: Task, query: ExamplesQuery, *, owner: bool) -> Dataset:
    wanted = select(Dataset).where(Dataset.task == task.name, Dataset.name == query.dataset)
    chosen = Dataset.active if query.version is None else Dataset.version == query.version
    found = db.scalars(wanted.where(chosen)).first()
    if found is None or (found.role == HIDDEN and not owner):
        raise NotFound(f"There is no dataset {query.dataset[:62]!r} whose examples may be shown.")
    return found


def examples_view(db: Session, storage: Storage, sought: Sought, query: ExamplesQuery) -> ExamplesView:
    """The page that is asked for, in the dataset's order. Raises NotFound while there are no predictions."""
    evaluations = [evaluation_of(db, each, sought.dataset) for each in sought.submissions]
    with storage.open(dataset_key(sought.dataset.digest)) as stream:
        references = read_references(stream, sought.task)
    answers = []
    for evaluation in evaluations:
        with fetched(storage, evaluation) as file:
            answers.append(read_answers(file, references, sought.task))
    places = _places(sought.task, query, references, answers)
    page = places[query.offset : query.offset + query.limit]
    shown = [_shown(sought, place, example, answers) for place, example in _read(storage, sought.dataset, page)]
    return ExamplesView(
        dataset=sought.dataset.name,
        version=sought.dataset.version,
        examples=len(references.accepted),
        matching=len(places),
        labels_shown=sought.open,
        note="" if sought.open else CLOSED,
        shown=shown,
    )


def _places(task: Task, query: ExamplesQuery, references: References, answers: list[Answers]) -> IntArray:
    """Where the examples stand that pass the filters."""
    chosen: BoolArray = np.ones(len(references.accepted), dtype=bool)
    if query.filter in {"wrong", "right"}:
        chosen &= _right(answers[0]) == (query.filter == "right")
    if query.filter == "differs":
        first, second = (each.predictions for each in answers)
        chosen &= each_pair(first, second, lambda one, other: _differ(task, one, other)) > 0
    if query.tag is not None:
        tagged: BoolArray = np.zeros(len(chosen), dtype=bool)
        tagged[references.tags.get(query.tag, np.zeros(0, dtype=np.int64))] = True
        chosen &= tagged
    return np.flatnonzero(chosen)


def _right(answers: Answers) -> BoolArray:
    return right(answers) if answers.labels else exact_matches(answers) > 0


def _differ(task: Task, one: str, other: str) -> bool:
    return one != other if task.kind in {"label", "token-labels"} else normalised(one) != normalised(other)


def _read(storage: Storage, dataset: Dataset, places: IntArray) -> list[tuple[int, dict[str, Any]]]:
    """The examples at these places; nothing behind the last is read."""
    wanted = set(places.tolist())
    found: list[tuple[int, dict[str, Any]]] = []
    with storage.open(dataset_key(dataset.digest)) as stream:
        for place, example in enumerate(read_examples(stream)):
            if len(found) == len(wanted):
                break
            if place in wanted:
                found.append((place, example))
    return found


def _shown(sought: Sought, place: int, example: dict[str, Any], answers: list[Answers]) -> ShownExample:
    """Numbered: an id may tell the label, as SNLI's do."""
    label = list(sought.task.accepted(example)) if sought.open else None
    return ShownExample(
        number=place,
        inputs={name: example[name] for name in sought.task.inputs},
        answer=answers[0].predictions[place],
        other=answers[1].predictions[place] if len(answers) > 1 else None,
        label=label,
        tags=list(example.get("tags", ())) if sought.open else None,
    )
