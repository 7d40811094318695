"""The measuring slot of a machine: while a model's cost is measured, nothing else of ours may run beside it.

Two lock files, shared by every evaluator on the machine and released by the kernel when their holder dies. `turn` is
what keeps a stream of interactive questions from putting a measurement off for ever: whoever wants the slot takes it
first, and a measurement keeps it.
"""

import asyncio
import fcntl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

from dynaboard.errors import Unavailable

POLL_S = 0.02
BUSY = "A model's speed and memory are being measured on this machine, which needs it alone; ask again in a minute."


class Slot:
    """Shared by interactive answers, exclusive to measurements."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._turn = folder / "measuring-turn.lock"
        self._slot = folder / "measuring-slot.lock"

    @asynccontextmanager
    async def exclusive(self) -> AsyncIterator[None]:
        """Wait until the answers under way are given, then keep everybody else out for the block."""
        with self._turn.open("a") as turn, self._slot.open("a") as slot:
            await _lock(turn, fcntl.LOCK_EX, None)
            await _lock(slot, fcntl.LOCK_EX, None)
            yield

    @asynccontextmanager
    async def shared(self, patience_s: float) -> AsyncIterator[None]:
        """Keep measurements out for the block. Raises Unavailable when one lasts longer than `patience_s`."""
        deadline = time.monotonic() + patience_s
        with self._turn.open("a") as turn, self._slot.open("a") as slot:
            await _lock(turn, fcntl.LOCK_SH, deadline)
            await _lock(slot, fcntl.LOCK_SH, deadline)
            fcntl.flock(turn, fcntl.LOCK_UN)
            yield


async def _lock(file: IO[str], mode: int, deadline: float | None) -> None:
    """Take a lock, giving way to the event loop. Raises Unavailable after the deadline (monotonic seconds)."""
    while True:
        try:
            fcntl.flock(file, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            if deadline is not None and time.monotonic() > deadline:
                raise Unavailable(BUSY) from None
            await asyncio.sleep(POLL_S)
        else:
            return
