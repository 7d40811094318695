"""A thread beside every model server: kills workers that take too much, and empties their log's pipe.

Resource limits hold for one process; a model may start many, so the sum is watched ten times a second.
"""

import contextlib
import threading
from collections.abc import Callable

from dynaboard.runtime import processes
from dynaboard.runtime.limits import Limits, size_text
from dynaboard.runtime.model_log import ModelLog

PERIOD_S = 0.1
# Where the kernel does not hold a model to its processes and threads itself: it counts those of one user together, and
# all models of a cluster's node have the same.
MOST_THREADS = 512


def needs_more_memory(limits: Limits) -> str:
    """The sentence for a model that outgrew its limit."""
    return f"The model needs more than the {size_text(limits.memory_bytes)} it may use."


class Watchdog:
    """`verdict` is the sentence for which the workers were killed, None while all is well."""

    def __init__(self, workers: Callable[[], list[int]], limits: Limits, log: ModelLog) -> None:
        self.verdict: str | None = None
        self._workers = workers
        self._limits = limits
        self._log = log
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="model watchdog", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; returns when the thread has ended."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(PERIOD_S):
            with contextlib.suppress(OSError):  # no file left to open, say: the next look comes soon
                self._look()

    def _look(self) -> None:
        pids = self._workers()
        complaint = self._complaint(pids)
        if complaint:
            self.verdict = complaint
            processes.kill(processes.handles(pids), timeout_s=1)
        self._log.drain()

    def _complaint(self, pids: list[int]) -> str | None:
        if len(pids) > self._limits.processes:
            return f"The model started more than the {self._limits.processes} processes it may have."
        if processes.threads(pids) > MOST_THREADS:
            return f"The model started more than the {MOST_THREADS} threads it may have."
        if processes.resident(pids) > self._limits.memory_bytes:
            return needs_more_memory(self._limits)
        return None
