"""The reference model: started where a measurement needs it, kept there for the next one, stopped when none comes.

It does nothing unless it is asked, and only a measurement in its slot asks it: it never works beside a candidate.
"""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.runtime.served import Served
from services.evaluator.deployers import Deployer, Deployment

# The next dataset or submission is usually there by then; starting anew takes two seconds of the slot.
IDLE_S = 60.0


class ReferenceServer:
    """The running reference models of this process, one a place, behind the limits that every model has."""

    def __init__(self, deployer: Deployer) -> None:
        self._deployer = deployer
        self._lock = threading.Lock()
        self._running: dict[str, Deployment] = {}
        self._expiry: dict[str, threading.Timer] = {}

    @asynccontextmanager
    async def serving(self, place: str) -> AsyncIterator[Served]:
        """The server at a place, ready, for the block. It is kept for the next, unless the block failed on our side.

        Raises PlatformFailure when it does not start.
        """
        try:
            yield await asyncio.to_thread(self.ready, place)
        except PlatformFailure:
            await asyncio.to_thread(self.stop, place)  # it may be what failed
            raise
        finally:
            await asyncio.to_thread(self.rest, place)

    def ready(self, place: str) -> Served:
        """The server, ready; say `rest` when done with it. Blocks. Raises PlatformFailure when it does not start."""
        with self._lock:
            self._keep(place)
            running = self._running.get(place)
            if running is not None and running.alive():
                return running.server
            self._stop(place)
            starting = self._deployer.start_reference(place)
            try:
                starting.settle(_in_silence)
                starting.fetch()
                starting.wait_ready()
            except (ModelFailure, PlatformFailure) as failure:
                starting.stop()
                raise PlatformFailure(f"The reference model does not start: {failure.detail}") from failure
            self._running[place] = starting
            return starting.server

    def rest(self, place: str) -> None:
        """Nobody needs it now: it is stopped unless somebody does within a minute."""
        with self._lock:
            self._keep(place)
            if place in self._running:
                expiry = threading.Timer(IDLE_S, self.stop, [place])
                expiry.daemon = True
                expiry.start()
                self._expiry[place] = expiry

    def stop(self, place: str) -> None:
        """Stop the one at a place, if it runs. Blocks."""
        with self._lock:
            self._keep(place)
            self._stop(place)

    def close(self) -> None:
        """Stop all. Blocks."""
        for place in list(self._running):
            self.stop(place)

    def _keep(self, place: str) -> None:
        expiry = self._expiry.pop(place, None)
        if expiry is not None:
            expiry.cancel()

    def _stop(self, place: str) -> None:
        running = self._running.pop(place, None)
        if running is not None:
            running.stop()


def _in_silence(step: str) -> None:
    """Tell nobody."""
