"""Where two models differ, from the database and storage to the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from dynaboard.comparison_schemas import DifferingPart, DiscordanceView, DiscordantExample, Named
from dynaboard.errors import Invalid, NotFound
from dynaboard.identity import Caller, Role
from dynaboard.nlp_tasks import Task
from dynaboard.phases import counts, labels_are_open
from dynaboard.storage import Storage
from dynaboard.tables import Dataset, Score
from services.scoring.discordance import Compared, differing_parts
from services.scoring.discordance_query import DiscordanceQuery
from services.scoring.discordant_examples import Discordant, discordant, evaluation_of
from services.scoring.leaderboard import HIDDEN, SCORING, Entry
from services.scoring.metrics import performance_of
from services.scoring.replicates import decoded
from services.scoring.standing import Standing

NOTHING = Discordant(0, 0, [])
SIGN_IN = "Examples are shown to whoever signs in."
CLOSED = "Labels, tags and ids of sets that rank are not shown, nor those of hidden ones."
OPEN = "The labels of this set are released."


def discordance_view(
    db: Session, storage: Storage, standing: Standing, query: DiscordanceQuery, caller: Caller
) -> DiscordanceView:
    """Tags on which two models differ most, and examples of one dataset. Raises NotFound, and Invalid for one model."""
    task = standing.scope.task
    if query.a == query.b:
        raise Invalid("a and b must be two models.")
    two = (_entry(standing, query.a), _entry(standing, query.b))
    dataset = _dataset(standing, query.dataset)
    found, note = NOTHING, SIGN_IN
    if dataset is not None and caller.at_least(Role.READER):
        evaluations = (
            evaluation_of(db, two[0].submission_id, dataset),
            evaluation_of(db, two[1].submission_id, dataset),
        )
        found = discordant(storage, task, dataset, evaluations, query.limit)
        note = OPEN if labels_are_open(dataset) else CLOSED
    return DiscordanceView(
        task=task.name,
        first=_named(two[0], caller),
        second=_named(two[1], caller),
        parts=[DifferingPart(**asdict(part)) for part in differing_parts(_parts(db, task, standing, two))],
        dataset=dataset.name if dataset else None,
        examples=found.examples,
        differing=found.differing,
        shown=[_example(task, dataset, *shown) for shown in found.shown] if dataset else [],
        note=note,
        generated_at=datetime.now(UTC),
    )


def _entry(standing: Standing, model_id: str) -> Entry:
    found = next((entry for entry in standing.entries if entry.model_id == model_id), None)
    if found is None:
        raise NotFound(f"There is no model {model_id} on this board, or it is not yours to see.")
    return found


def _named(entry: Entry, caller: Caller) -> Named:
    return Named(model_id=entry.model_id, name=entry.name, version=entry.version, owner=entry.owner_for(caller))


def _dataset(standing: Standing, name: str | None) -> Dataset | None:
    """The dataset asked for, of those whose texts anybody signed in may read. Raises NotFound."""
    readable = [dataset for dataset in standing.datasets if dataset.role != HIDDEN and counts(dataset)]
    if name is None:
        return next((dataset for dataset in readable if dataset.role == SCORING), None)
    found = next((dataset for dataset in readable if dataset.name == name), None)
    if found is None:
        raise NotFound(f"There is no dataset '{name}' whose examples may be shown.")
    return found


def _parts(
    db: Session, task: Task, standing: Standing, two: tuple[Entry, Entry]
) -> list[tuple[str, str, Compared, Compared]]:
    cells = _cells(db, task, [entry.digest for entry in two])
    parts = []
    for dataset in standing.datasets:
        whole = _compared(cells, two, dataset.digest, "")
        tags = sorted({tag for _, digest, tag in cells if digest == dataset.digest and tag})
        for tag in tags if whole else ():
            of_tag = _compared(cells, two, dataset.digest, tag)
            if of_tag and whole:
                parts.append((dataset.name, tag, of_tag, whole))
    return parts


def _cells(db: Session, task: Task, models: Sequence[str]) -> dict[tuple[str, str, str], Any]:
    """Performance cells with their replicates, by model, dataset and tag."""
    metric = performance_of(task)
    columns = (Score.model_digest, Score.dataset_digest, Score.tag, Score.value, Score.n, Score.replicates)
    rows = db.execute(
        select(*columns).where(
            Score.model_digest.in_(models),
            Score.metric == metric.name,
            Score.metric_version == str(metric.version),
            Score.perturbation_digest == "",
            Score.replicates.is_not(None),
        )
    )
    return {(row.model_digest, row.dataset_digest, row.tag): row for row in rows}


def _compared(
    cells: Mapping[tuple[str, str, str], Any], two: tuple[Entry, Entry], dataset: str, tag: str
) -> Compared | None:
    first, second = (cells.get((entry.digest, dataset, tag)) for entry in two)
    if first is None or second is None:
        return None
    replicates = [decoded(cell.replicates, cell.value) for cell in (first, second)]
    count = min(map(len, replicates))
    deviations = np.asarray(replicates[0][:count] - replicates[1][:count], dtype=np.float32)
    return Compared(first.value, second.value, first.n, deviations)


def _example(task: Task, dataset: Dataset, example: Mapping[str, Any], first: str, second: str) -> DiscordantExample:
    return DiscordantExample(
        inputs={field: example[field] for field in task.inputs},
        first=first,
        second=second,
        label=list(task.accepted(example)) if labels_are_open(dataset) else None,
    )
