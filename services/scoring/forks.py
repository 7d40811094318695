"""Forks: weights with a name and a reason, over the live board or over a snapshot."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from dynaboard.board_schemas import ForkCreate, ForkView
from dynaboard.errors import Conflict, Invalid, NotFound, QuotaExceeded
from dynaboard.identity import Caller, Role, require
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Fork, new_id
from services.scoring import snapshots
from services.scoring.permalink import address_of, digest_of
from services.scoring.query import METRIC_NAMES

MOST_LISTED = 1000
MOST_A_DAY = 100
LIVE = "/api/v1/leaderboards/"


def make(db: Session, task: Task, wanted: ForkCreate, caller: Caller) -> ForkView:
    """Keep a fork for any signed-in reader. Raises Invalid, NotFound (its snapshot) and Conflict (its name)."""
    require(caller, Role.READER)
    _check_quota(db, caller)
    unknown = wanted.weights.keys() - set(METRIC_NAMES)
    if unknown:
        raise Invalid(f"There is no metric '{min(unknown)[:64]}'; a weight may name: {', '.join(METRIC_NAMES)}.")
    if wanted.snapshot is not None and snapshots.find(db, wanted.snapshot, caller).task != task.name:
        raise Invalid(f"The snapshot '{wanted.snapshot}' is of another task.")
    same = (Fork.task == task.name, Fork.created_by == caller.name, Fork.name == wanted.name)
    if db.scalar(select(Fork.id).where(*same)):
        raise Conflict(f"You have a fork '{wanted.name}' of this leaderboard already; choose another name.")
    fork = Fork(
        id=address_of(digest_of(new_id().encode())),
        task=task.name,
        name=wanted.name,
        description=wanted.description,
        weights=wanted.weights,
        dataset_weights=wanted.dataset_weights,
        snapshot_id=wanted.snapshot,
        created_by=caller.name,
    )
    db.add(fork)
    db.flush()
    return fork_view(fork)


def _check_quota(db: Session, caller: Caller) -> None:
    db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"forks {caller.name}", 0))))
    recent = Fork.created_at > datetime.now(UTC) - timedelta(days=1)
    count = db.scalar(select(func.count()).select_from(Fork).where(Fork.created_by == caller.name, recent))
    if (count or 0) >= MOST_A_DAY:
        raise QuotaExceeded(f"You have made {MOST_A_DAY} forks within a day; wait for tomorrow.")


def find(db: Session, address: str) -> ForkView:
    """A fork; anybody with its address may read it. Raises NotFound."""
    found = db.get(Fork, address)
    if found is None:
        raise NotFound(f"There is no fork '{address[:16]}'.")
    return fork_view(found)


def of_task(db: Session, task: Task) -> list[ForkView]:
    """The forks of a task's board, newest first."""
    wanted = select(Fork).where(Fork.task == task.name).order_by(Fork.created_at.desc(), Fork.id).limit(MOST_LISTED)
    return [fork_view(fork) for fork in db.scalars(wanted)]


def fork_view(fork: Fork) -> ForkView:
    """What to tell of a fork."""
    parameters = _named("weight", fork.weights) | _named("dataset_weight", fork.dataset_weights)
    chosen = f"?{urlencode(parameters)}" if parameters else ""
    where = f"{snapshots.PATH}{fork.snapshot_id}/leaderboard" if fork.snapshot_id else f"{LIVE}{fork.task}"
    return ForkView(
        id=fork.id,
        task=fork.task,
        name=fork.name,
        description=fork.description,
        weights=fork.weights,
        dataset_weights=fork.dataset_weights,
        snapshot=fork.snapshot_id,
        board=where + chosen,
        created_by=fork.created_by,
        created_at=fork.created_at,
    )


def _named(kind: str, weights: Mapping[str, float]) -> dict[str, float]:
    return {f"{kind}.{name}": weight for name, weight in weights.items()}
