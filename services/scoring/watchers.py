"""Tells everybody who watches a leaderboard when it changes: one PostgreSQL listener a process, however many watch."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import psycopg

from dynaboard.board_events import CHANNEL
from dynaboard.draining import Moment
from dynaboard.telemetry import EVENT_STREAMS

LOG = logging.getLogger(__name__)
RECONNECT_S = 2.0
MOST_WAITING = 100
# What a watcher gets when notifications may have been lost: look again.
LOST = ""
# What it gets when this process is about to end: ask another one.
END = "end"


class Watchers:
    """Listens while anybody watches, until the process closes. Used from one event loop."""

    def __init__(self, database_url: str, closing: Moment) -> None:
        self._url = database_url
        self._closing = closing
        self._queues: set[asyncio.Queue[str]] = set()
        self._listening = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def subscribe(self) -> AsyncIterator[asyncio.Queue[str]]:
        """A queue of the payloads notified from now on; LOST after a gap, END at the end."""
        queue: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)
        self._queues.add(queue)
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        try:
            loop = asyncio.get_running_loop()
            with self._closing.told(partial(loop.call_soon_threadsafe, _end, queue)):
                await self._listening.wait()
                with EVENT_STREAMS.track_inprogress():
                    yield queue
        finally:
            self._queues.discard(queue)
            if not self._queues and self._task is not None:
                self._task.cancel()
                self._task = None
                self._listening.clear()

    async def _listen(self) -> None:
        while True:
            try:
                await self._notify_until_lost()
            except psycopg.OperationalError as error:
                LOG.warning("lost the database while listening; trying again: %s", error)
            await asyncio.sleep(RECONNECT_S)

    async def _notify_until_lost(self) -> None:
        async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            if self._listening.is_set():
                self._tell(LOST)
            self._listening.set()
            async for notification in connection.notifies():
                self._tell(notification.payload)

    def _tell(self, payload: str) -> None:
        for queue in self._queues:
            if not queue.full():  # a watcher who does not read learns the newest state from what already waits
                queue.put_nowait(payload)


def _end(queue: asyncio.Queue[str]) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(END)
