"""The end of a process, in two moments: from the first nobody is sent to it any more, at the second it hangs up.

Between them lies what the way to it takes to learn of the first: a load balancer looks at /readyz every few seconds.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class HandedBack(Exception):
    """Raised by a job whose process is about to end: another worker is to go on with it."""


class Moment:
    """Something that comes once, and whom to tell. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._come = False
        self._told: list[Callable[[], object]] = []

    @property
    def come(self) -> bool:
        """Whether it has come."""
        return self._come

    def arrive(self) -> None:
        """Now; everybody is told in this thread. May be called again."""
        with self._lock:
            self._come, told, self._told = True, self._told, []
        for tell in told:
            tell()

    @contextmanager
    def told(self, tell: Callable[[], object]) -> Iterator[None]:
        """Have `tell` called when it comes, if it comes during the block; at once if it has come."""
        with self._lock:
            late = self._come
            if not late:
                self._told.append(tell)
        if late:
            tell()
        try:
            yield
        finally:
            with self._lock:
                if tell in self._told:
                    self._told.remove(tell)

    async def wait(self) -> None:
        """Return when it has come; in any event loop."""
        loop, come = asyncio.get_running_loop(), asyncio.Event()
        with self.told(lambda: loop.call_soon_threadsafe(come.set)):
            await come.wait()


@dataclass(frozen=True)
class Draining:
    """The two moments of a process. `leaving`: it is not ready, and gives its jobs away. `closing`: streams end."""

    leaving: Moment = field(default_factory=Moment)
    closing: Moment = field(default_factory=Moment)
