"""Everything a task's leaderboard is made of, read once: a change of weights needs none of it anew."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy.orm import Session

from dynaboard.errors import Invalid
from dynaboard.identity import Caller, Role
from dynaboard.leaderboard_schemas import CellView
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Dataset
from dynaboard.task_registry import task_then
from services.scoring.board import Board
from services.scoring.leaderboard import (
    SCORING,
    Entry,
    Results,
    datasets,
    entries,
    hardware_of,
    memory_budget,
    nothing_to_perturb,
    protocol_of,
    sliced,
)
from services.scoring.method import Method
from services.scoring.query import METRIC_NAMES, LeaderboardQuery
from services.scoring.slices import slice_remarks
from services.scoring.task_settings import InForce, settings_in_force


@dataclass(frozen=True)
class Scope:
    """What decides which results are read, all else being the viewer's choice of weights and order.

    `viewer` is empty unless the board holds unpublished models; then it is the one caller who may see it.
    """

    task: Task
    hardware: str | None
    tag: str
    at: datetime | None
    hidden_datasets: bool
    viewer: Caller | None

    @classmethod
    def of(cls, task: Task, query: LeaderboardQuery, caller: Caller) -> "Scope":
        """The scope of a caller's request."""
        hidden = caller.at_least(Role.TASK_OWNER)
        viewer = caller if query.unpublished else None
        return cls(task, query.hardware, query.tag or "", query.as_of, hidden, viewer)


@dataclass(frozen=True, eq=False)
class Standing:
    """The models on a board, the datasets, and every cell, by (model digest, dataset digest or "", metric).

    `board` has the models and the scoring datasets in the order of `entries` and `scored`; `results` selected the
    cells, and `places` tells the table and id of each. `derived` keeps what callers have computed from it alone, for as
    long as it stands.
    """

    scope: Scope
    entries: Sequence[Entry]
    datasets: Sequence[Dataset]
    scored: Sequence[Dataset]
    results: Results
    settings: InForce
    memory_budget_gib: float
    cells: Mapping[tuple[str, str, str], CellView]
    places: Mapping[tuple[str, str, str], tuple[str, int]]
    board: Board
    derived: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def method(self) -> Method:
        """The ranking of a viewer who chooses nothing."""
        return self.settings.method(self.memory_budget_gib)

    def under(self, settings: InForce, granted_gib: float) -> "Standing":
        """The same results under other settings; without a budget of the owner's, the hardware grants so many GiB."""
        return replace(self, settings=settings, memory_budget_gib=settings.settings.memory_budget_gib or granted_gib)

    @property
    def remarks(self) -> list[str]:
        """What a reader of a slice must know of it; nothing of a whole board."""
        if not self.scope.tag:
            return []
        return slice_remarks(
            self.scope.tag, {dataset.digest: dataset.name for dataset in self.scored}, self.results.sliced
        )

    def cell(self, entry: Entry, dataset: Dataset, metric: str) -> CellView | None:
        """A model's cell on a dataset, or else the one that was measured once for all datasets."""
        found = self.cells.get((entry.digest, dataset.digest, metric))
        return found or self.cells.get((entry.digest, "", metric))


def read_standing(db: Session, scope: Scope, caller: Caller) -> Standing:
    """The board of a scope as it is now, out of the database. `caller` is one whose scope it is."""
    at = scope.at
    task = task_then(db, scope.task, at) if at else scope.task
    listed = entries(db, task, caller, scope.viewer is not None, at)
    shown = datasets(db, task, caller, at)
    hardware = scope.hardware or hardware_of(db, listed, at)
    scored = [dataset for dataset in shown if dataset.role == SCORING]
    if scope.tag:
        scored = _with_tag(scored, scope.tag)
    digests = [entry.digest for entry in listed]
    of_tag = sliced(db, digests, scope.tag, at) if scope.tag else frozenset()
    results = Results(task, hardware, scope.tag, at, of_tag, protocol_of(db, listed, hardware, at))
    found = results.cells(db, digests)
    board = board_of(listed, scored, found.cells, nothing_to_perturb(db, scored, at))
    settings = settings_in_force(db, task, at)
    budget = settings.settings.memory_budget_gib or memory_budget(db, task, hardware)
    return Standing(scope, listed, shown, scored, results, settings, budget, found.cells, found.places, board)


def _with_tag(scored: Sequence[Dataset], tag: str) -> list[Dataset]:
    """The datasets that have examples of this tag. Raises Invalid where there is none."""
    kept = [dataset for dataset in scored if tag in dataset.tags]
    if not kept:
        known = sorted({name for dataset in scored for name in dataset.tags})
        raise Invalid(f"No scoring dataset has the tag '{tag}'; there are: {', '.join(known) or 'none'}.")
    return kept


def board_of(
    listed: Sequence[Entry],
    scored: Sequence[Dataset],
    cells: Mapping[tuple[str, str, str], CellView],
    inapplicable: frozenset[tuple[str, str]],
) -> Board:
    """The models' values on the datasets, by model id. A cost measured once for all datasets stands on each."""
    places: dict[str, list[int]] = {}
    for row, entry in enumerate(listed):
        places.setdefault(entry.digest, []).append(row)
    columns = {dataset.digest: column for column, dataset in enumerate(scored)}
    values = np.full((len(listed), len(scored), len(METRIC_NAMES)), np.nan)
    # What was measured once for all datasets comes first, so that what a dataset has of its own replaces it.
    for (model, dataset, metric), cell in sorted(cells.items(), key=lambda item: item[0][1] != ""):
        if dataset == "":
            values[places[model], :, METRIC_NAMES.index(metric)] = cell.value
        elif dataset in columns:
            values[places[model], columns[dataset], METRIC_NAMES.index(metric)] = cell.value
    ids = tuple(entry.model_id for entry in listed)
    return Board(ids, tuple(dataset.name for dataset in scored), METRIC_NAMES, values, inapplicable)
