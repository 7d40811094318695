"""One request for a leaderboard, from the database to the answer."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from dynaboard.identity import Caller
from dynaboard.nlp_tasks import Task
from dynaboard.schemas import LeaderboardView
from services.scoring.dynascore import dynascore
from services.scoring.leaderboard import SCORING, Results, datasets, entries, hardware_of, memory_budget
from services.scoring.query import LeaderboardQuery
from services.scoring.view import Shown, page, view
from services.scoring.zscore import zscore

AGGREGATIONS = {"dynascore": dynascore, "zscore": zscore}


def ranked(db: Session, task: Task, query: LeaderboardQuery, caller: Caller) -> LeaderboardView:
    """The board of a task as this caller may see it. Raises Invalid for names and weights that cannot be."""
    listed = entries(db, task, caller, query.unpublished)
    shown_datasets = datasets(db, task, caller)
    hardware = query.hardware or hardware_of(db, listed)
    results = Results(task, hardware)
    board = results.board(db, listed, [dataset for dataset in shown_datasets if dataset.role == SCORING])
    ranking = AGGREGATIONS[query.aggregation](board, query.method(memory_budget(db, task, hardware)))
    shown = Shown(task, query, caller, listed, shown_datasets, ranking, hardware, datetime.now(UTC))
    rows = page(shown)
    return view(shown, rows, results.cells(db, [listed[row].digest for row in rows]))
