"""The measuring slot of a place, which is a machine: while a model's cost is measured there, nothing else of ours runs.

Two locks a place, shared by every evaluator of the installation and let go of by the database when their holder dies.
`turn` is what keeps a stream of questions from putting a measurement off for ever: a measurement takes it first and
keeps it, and a question gets in only while nobody has it. PostgreSQL serves measurements that wait in their order.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager

import psycopg

from dynaboard import advisory_locks
from dynaboard.advisory_locks import key_of, still_mine, waited_for
from dynaboard.database import Database
from dynaboard.errors import PlatformFailure, Unavailable

LOG = logging.getLogger(__name__)
# A question looks again after so long, then twice as long, and so on: each look costs the machine that is measured.
FIRST_LOOK_S, LAST_LOOK_S = 0.02, 0.5
BUSY = "A model's speed and memory are being measured on this machine, which needs it alone; ask again in a minute."
LOST = "The connection that kept this machine for a measurement was lost under way, so its numbers are not trusted."
_ENTER = "SELECT CASE WHEN pg_try_advisory_xact_lock_shared(%s) THEN pg_try_advisory_lock_shared(%s) ELSE false END"


class Slot:
    """Shared by interactive answers, exclusive to measurements; places do not know of each other.

    All questions of a process go by one connection and one thread of their own; each measurement has its connection.
    """

    def __init__(self, database: Database) -> None:
        self._url = database.url
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="slot")
        self._connection: psycopg.Connection | None = None

    @asynccontextmanager
    async def exclusive(self, place: str) -> AsyncIterator[None]:
        """Wait until the answers under way are given, then keep everybody else out for the block.

        Raises PlatformFailure when the lock cannot be taken, or was lost while the block ran: do not use its results.
        """
        turn, slot = _locks(place)
        async with waited_for(self._url, turn, slot) as connection:
            yield
            if not await still_mine(connection, slot):
                raise PlatformFailure(LOST)

    @asynccontextmanager
    async def shared(self, place: str, patience_s: float) -> AsyncIterator[None]:
        """Keep measurements out for the block. Raises Unavailable when one lasts longer than `patience_s`."""
        deadline, pause = time.monotonic() + patience_s, FIRST_LOOK_S
        while (way := await self._entered(place)) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Unavailable(BUSY)
            await asyncio.sleep(min(pause, left))
            pause = min(2 * pause, LAST_LOOK_S)
        try:
            yield
        finally:
            self._thread.submit(self._leave, way, place)

    def close(self) -> None:
        """Give the questions' connection back; whoever asks later is refused."""
        self._thread.submit(self._drop)
        self._thread.shutdown()

    async def _entered(self, place: str) -> psycopg.Connection | None:
        entering = self._thread.submit(self._enter, place)
        try:
            return await asyncio.wrap_future(entering)
        except asyncio.CancelledError:
            # It may be under way, and what it takes must not be kept: whatever this thread does comes after it.
            self._thread.submit(self._undo, entering, place)
            raise

    def _enter(self, place: str) -> psycopg.Connection | None:
        """The connection by which the place is held now; None while a measurement has it. Raises Unavailable."""
        keys = [key_of(name) for name in _locks(place)]
        try:
            return self._tried(keys)
        except psycopg.OperationalError as error:
            LOG.info("the slot's connection was lost: %s", error)
            self._drop()
        try:
            return self._tried(keys)
        except psycopg.OperationalError as error:
            raise Unavailable() from error

    def _tried(self, keys: list[int]) -> psycopg.Connection | None:
        self._connection = self._connection or advisory_locks.connect(self._url)
        return self._connection if self._connection.execute(_ENTER, keys).fetchone() == (True,) else None

    def _leave(self, way: psycopg.Connection, place: str) -> None:
        if way is not self._connection:  # lost meanwhile, and with it all it held
            return
        try:
            way.execute("SELECT pg_advisory_unlock_shared(%s)", [key_of(_locks(place)[1])])
        except psycopg.OperationalError:
            self._drop()

    def _undo(self, entering: "Future[psycopg.Connection | None]", place: str) -> None:
        way = None if entering.cancelled() or entering.exception() else entering.result()
        if way is not None:
            self._leave(way, place)

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _locks(place: str) -> tuple[str, str]:
    """The names of a place's two locks, in the order in which they are taken."""
    return f"turn at {place}", f"slot at {place}"
