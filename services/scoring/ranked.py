"""One request for a leaderboard, from the database to the answer."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from dynaboard.errors import Invalid
from dynaboard.identity import Caller
from dynaboard.nlp_tasks import Task
from dynaboard.schemas import LeaderboardView
from dynaboard.tables import Dataset
from services.scoring.dynascore import dynascore
from services.scoring.leaderboard import SCORING, Results, datasets, entries, hardware_of, memory_budget
from services.scoring.query import LeaderboardQuery
from services.scoring.resampling import Resampled
from services.scoring.uncertainty import uncertainty
from services.scoring.view import Shown, page, view
from services.scoring.zscore import zscore

AGGREGATIONS = {"dynascore": dynascore, "zscore": zscore}


def ranked(
    db: Session, task: Task, query: LeaderboardQuery, caller: Caller, resampled: Resampled | None = None
) -> LeaderboardView:
    """The board of a task as this caller may see it. Raises Invalid for names and weights that cannot be."""
    shown, results = considered(db, task, query, caller, resampled or Resampled())
    rows = page(shown)
    return view(shown, rows, results.cells(db, [shown.entries[row].digest for row in rows]))


def considered(
    db: Session, task: Task, query: LeaderboardQuery, caller: Caller, resampled: Resampled
) -> tuple[Shown, Results]:
    """The whole board, ranked and with its uncertainty, and where its cells come from. Raises Invalid as `ranked`."""
    listed = entries(db, task, caller, query.unpublished)
    shown_datasets = datasets(db, task, caller)
    hardware = query.hardware or hardware_of(db, listed)
    results = Results(task, hardware, query.tag or "")
    scored = [dataset for dataset in shown_datasets if dataset.role == SCORING]
    if query.tag:
        scored = _with_tag(scored, query.tag)
    board = results.board(db, listed, scored)
    ranking = AGGREGATIONS[query.aggregation](board, query.method(memory_budget(db, task, hardware)))
    found = uncertainty(ranking, resampled.of(db, results, listed, scored))
    return Shown(task, query, caller, listed, shown_datasets, ranking, hardware, datetime.now(UTC), found), results


def _with_tag(scored: Sequence[Dataset], tag: str) -> list[Dataset]:
    """The datasets that have examples of this tag. Raises Invalid where there is none."""
    kept = [dataset for dataset in scored if tag in dataset.tags]
    if not kept:
        known = sorted({name for dataset in scored for name in dataset.tags})
        raise Invalid(f"No scoring dataset has the tag '{tag}'; there are: {', '.join(known) or 'none'}.")
    return kept
