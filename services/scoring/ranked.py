"""One request for a leaderboard, from the database to the answer."""

from datetime import UTC, datetime

from sqlalchemy.orm import Session

from dynaboard.identity import Caller
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.nlp_tasks import Task
from services.scoring.dynascore import dynascore
from services.scoring.freshness import freshness
from services.scoring.query import LeaderboardQuery
from services.scoring.resampling import Resampled
from services.scoring.standing import Scope, Standing
from services.scoring.uncertainty import Resamples, uncertainty
from services.scoring.view import Shown, page, view
from services.scoring.zscore import zscore

AGGREGATIONS = {"dynascore": dynascore, "zscore": zscore}


def ranked(
    db: Session, task: Task, query: LeaderboardQuery, caller: Caller, resampled: Resampled | None = None
) -> LeaderboardView:
    """The board of a task as this caller may see it. Raises Invalid for names and weights that cannot be."""
    shown, standing = considered(db, task, query, caller, resampled or Resampled())
    return view(shown, page(shown), standing.cells)


def considered(
    db: Session, task: Task, query: LeaderboardQuery, caller: Caller, resampled: Resampled
) -> tuple[Shown, Standing]:
    """The whole board, ranked and with its uncertainty, and what it is made of. Raises Invalid as `ranked`."""
    standing = standing_of(db, task, query, caller, resampled)
    return shown_of(db, standing, query, caller, resampled), standing


def shown_of(db: Session, standing: Standing, query: LeaderboardQuery, caller: Caller, resampled: Resampled) -> Shown:
    """A standing, ranked and with its uncertainty. Raises Invalid as `ranked`."""
    ranking = AGGREGATIONS[query.aggregation](standing.board, query.method(standing.method))
    return Shown(
        standing.scope.task,
        query,
        caller,
        standing.entries,
        standing.datasets,
        ranking,
        standing.results.hardware,
        datetime.now(UTC),
        standing.settings.version,
        standing.remarks,
        uncertainty(ranking, _resamples(db, standing, resampled)),
    )


def standing_of(db: Session, task: Task, query: LeaderboardQuery, caller: Caller, resampled: Resampled) -> Standing:
    """What the board is made of: read anew only if something can have changed since it was last asked for."""
    scope = Scope.of(task, query, caller)
    return resampled.standings.get(db, scope, caller, freshness(db, task))


def _resamples(db: Session, standing: Standing, resampled: Resampled) -> Resamples:
    if "resamples" not in standing.derived:
        found = resampled.of(db, standing)
        standing.derived["resamples"] = found
    resamples: Resamples = standing.derived["resamples"]
    return resamples
