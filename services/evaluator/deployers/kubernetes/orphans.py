"""Pods whose evaluator is no more. Each evaluator holds a lock of the database while it lives; that tells."""

import contextlib
import logging
from hashlib import sha256

import psycopg
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from dynaboard.advisory_locks import Hold, hold, is_held
from dynaboard.database import Database
from dynaboard.errors import Conflict
from services.evaluator.deployers.kubernetes.cluster import Cluster, Json
from services.evaluator.deployers.kubernetes.manifest import EVALUATOR, INSTALLATION, OURS

LOG = logging.getLogger(__name__)
_SERVER = text("SELECT system_identifier FROM pg_control_system()")
_DATABASE = text("SELECT datname || ' ' || oid FROM pg_database WHERE datname = current_database()")


class Orphans:
    """What one evaluator knows of whose pods are whose. `mine` are the names of those it has made and not removed."""

    def __init__(self, cluster: Cluster, database: Database, evaluator: str, installation: str) -> None:
        self.mine: set[str] = set()
        # Others may keep their pods in the same namespace; what is theirs we cannot tell.
        self._ours = ",".join(f"{key}={value}" for key, value in {**OURS, INSTALLATION: installation}.items())
        self._cluster = cluster
        self._database = database
        self._evaluator = evaluator
        self._hold: Hold | None = None
        self._suspects: set[str] = set()
        self._live()

    def sweep(self) -> list[str]:
        """Remove the pods that nobody cares for now, and did not the last time; return their names.

        Twice, for evaluators that lose their locks with the database's connections take them again before they sweep.
        Raises PlatformFailure when the cluster does not answer.
        """
        self._live()
        pods = self._cluster.pods(self._ours)
        owners = {_evaluator_of(pod) for pod in pods} - {self._evaluator}
        with self._database.begin() as db:
            dead = {owner for owner in owners if not is_held(db, _lock(owner))}
        suspects = {_name_of(pod) for pod in pods if self._is_orphan(pod, dead)}
        removed = sorted(suspects & self._suspects)
        self._suspects = suspects
        for name in removed:
            self._cluster.delete(name)
        return removed

    def close(self) -> None:
        """Let go of the lock: whatever is left of ours, others remove."""
        if self._hold is not None:
            self._hold.release()

    def _is_orphan(self, pod: Json, dead: set[str]) -> bool:
        owner = _evaluator_of(pod)
        if pod["metadata"].get("deletionTimestamp"):
            return False
        return owner in dead or (owner == self._evaluator and _name_of(pod) not in self.mine)

    def _live(self) -> None:
        """Show that this evaluator lives, again if the connection that did was lost."""
        if self._hold is not None and self._hold.held():
            return
        if self._hold is not None:
            LOG.warning("the lock that shows that this evaluator lives was lost; taking it again")
            self._hold.release()
        with contextlib.suppress(Conflict, psycopg.OperationalError):  # the next look is soon
            self._hold = hold(self._database.url, _lock(self._evaluator))


def installation_of(database: Database) -> str:
    """What tells this database from all others, as a label. Where it is not told its server's number: from most."""
    try:
        with database.begin() as db:
            told = db.scalar(_SERVER)
    except ProgrammingError:
        told = "not told"
    with database.begin() as db:
        return sha256(f"{told} {db.scalar(_DATABASE)}".encode()).hexdigest()[:16]


def _lock(evaluator: str) -> str:
    return f"evaluator:{evaluator}"


def _evaluator_of(pod: Json) -> str:
    return str(pod["metadata"]["labels"].get(EVALUATOR, ""))


def _name_of(pod: Json) -> str:
    return str(pod["metadata"]["name"])
