"""The reference model's server: started when a measurement needs it, kept for the next one, stopped when none comes.

It does nothing unless it is asked, and only a measurement in its slot asks it: it never works beside a candidate.
"""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.measurement import reference_models
from dynaboard.runtime import Limits, ModelServer
from services.evaluator.workspace import Workspace, remove_abandoned

# The next dataset or submission is usually here by then; starting anew takes two seconds of the slot.
IDLE_S = 60.0


class ReferenceServer:
    """At most one running reference model of this process, behind the limits that every model has."""

    def __init__(self, runs: Path, limits: Limits) -> None:
        self._runs = runs
        self._limits = limits
        self._lock = threading.Lock()
        self._running: tuple[Workspace, ModelServer] | None = None
        self._expiry: threading.Timer | None = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[ModelServer]:
        """The server, ready, for the block. It is kept for the next one, unless the block failed on our side.

        Raises PlatformFailure when it does not start.
        """
        try:
            yield await asyncio.to_thread(self.ready)
        except PlatformFailure:
            await asyncio.to_thread(self.stop)  # it may be what failed
            raise
        finally:
            await asyncio.to_thread(self.rest)

    def ready(self) -> ModelServer:
        """The server, ready; say `rest` when done with it. Blocks. Raises PlatformFailure when it does not start."""
        with self._lock:
            self._keep()
            if self._running and self._running[1].alive():
                return self._running[1]
            self._stop()
            remove_abandoned(self._runs)
            workspace = Workspace.make(self._runs, "reference")
            try:
                server = reference_models.start_reference(workspace.folder / "run", self._limits)
                server.wait_ready()
            except (ModelFailure, PlatformFailure) as failure:
                workspace.remove()
                raise PlatformFailure(f"The reference model does not start: {failure.detail}") from failure
            self._running = workspace, server
            return server

    def rest(self) -> None:
        """Nobody needs it now: it is stopped unless somebody does within a minute."""
        with self._lock:
            self._keep()
            if self._running:
                self._expiry = threading.Timer(IDLE_S, self.stop)
                self._expiry.daemon = True
                self._expiry.start()

    def stop(self) -> None:
        """Stop it, if it runs. Blocks."""
        with self._lock:
            self._keep()
            self._stop()

    def _keep(self) -> None:
        if self._expiry:
            self._expiry.cancel()
        self._expiry = None

    def _stop(self) -> None:
        if self._running:
            workspace, server = self._running
            self._running = None
            server.stop()
            workspace.remove()
