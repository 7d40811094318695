"""Snapshots: a board with all that made its numbers, frozen as bytes under an address that is made from them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import func, select
from sqlalchemy.orm import Session, undefer

from dynaboard.board_schemas import SnapshotView
from dynaboard.errors import NotFound, QuotaExceeded
from dynaboard.identity import NOBODY, Caller, Role, require
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Snapshot
from services.scoring.permalink import address_of, digest_of
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import considered
from services.scoring.resampling import Resampled
from services.scoring.standing import Standing
from services.scoring.view import Shown, page, view

PATH = "/api/v1/snapshots/"
MOST_ROWS = 10**9
MOST_A_DAY = 100


def freeze(db: Session, task: Task, query: LeaderboardQuery, caller: Caller, resampled: Resampled) -> SnapshotView:
    """Freeze all models of a board, for any signed-in reader.

    The public board is frozen as everybody sees it: no name of an anonymous owner, no hidden dataset, whoever asks.
    With `unpublished` it is the caller's own view, and stays the caller's alone. No snapshot names owners: it would
    name them for ever, also one who wants to be anonymous tomorrow; `model_id` leads to who they are now. Raises
    QuotaExceeded.
    """
    require(caller, Role.READER)
    _check_quota(db, caller)
    whole = query.model_copy(update={"limit": MOST_ROWS, "offset": 0, "detail": "full"})
    found, standing = considered(db, task, whole, caller if query.unpublished else NOBODY, resampled)
    board = view(found, page(found), standing.cells)
    rows = [row.model_copy(update={"owner": None}) for row in board.rows]
    shown = board.model_copy(update={"rows": rows, "limit": board.total}).model_dump(mode="json")
    body = orjson.dumps(shown, option=orjson.OPT_SORT_KEYS)
    digest = digest_of(body)
    snapshot = Snapshot(
        id=address_of(digest),
        task=task.name,
        digest=digest,
        body=body,
        sources=_sources(found, standing),
        public=not query.unpublished,
        created_by=caller.name,
        created_at=board.generated_at,
    )
    db.add(snapshot)
    db.flush()
    return snapshot_view(snapshot)


def _sources(shown: Shown, standing: Standing) -> dict[str, Any]:
    """The viewer's own weights, and for each number (model digest, dataset digest or "", metric) its table and id."""
    method = shown.ranking.source.method
    return {
        "weights": dict(method.weights),
        "dataset_weights": dict(method.dataset_weights),
        "cells": [[*key, *place] for key, place in standing.places.items()],
    }


def _check_quota(db: Session, caller: Caller) -> None:
    # Two requests at once must not both find the last place.
    db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"snapshots {caller.name}", 0))))
    recent = Snapshot.created_at > datetime.now(UTC) - timedelta(days=1)
    count = db.scalar(select(func.count()).select_from(Snapshot).where(Snapshot.created_by == caller.name, recent))
    if (count or 0) >= MOST_A_DAY:
        raise QuotaExceeded(f"You have frozen {MOST_A_DAY} boards within a day; wait for tomorrow.")


def find(db: Session, address: str, caller: Caller) -> Snapshot:
    """A snapshot with its body. Raises NotFound for one that is not there, or not the caller's to see."""
    found = db.get(Snapshot, address, options=[undefer(Snapshot.body)])
    if found is None or not caller.may_see(found.created_by, found.public):
        raise NotFound(f"There is no snapshot '{address[:16]}', or it is not yours to see.")
    return found


def snapshot_view(snapshot: Snapshot) -> SnapshotView:
    """What to tell of a snapshot beside its bytes."""
    return SnapshotView(
        id=snapshot.id,
        task=snapshot.task,
        digest=snapshot.digest,
        address=f"{PATH}{snapshot.id}",
        citation=f"{PATH}{snapshot.id}/citation",
        public=snapshot.public,
        created_by=snapshot.created_by,
        created_at=snapshot.created_at,
    )
