"""Samples the model's memory in the pod while the evaluator measures it from outside."""

import threading
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.samplers import Sampler

LEAST_HERTZ, MOST_HERTZ = 0.1, 50.0


class MemoryRun:
    """At most one run at a time; a new one ends the one before. `sampler` makes one by its name in the settings."""

    def __init__(self, sampler: Callable[[str], Sampler]) -> None:
        self._make = sampler
        self._lock = threading.Lock()
        self._sampler: Sampler | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, name: str, hertz: float) -> None:
        """Take the first sample, and more so often. Raises PlatformFailure when there is no such sampler."""
        period_s = 1 / min(max(hertz, LEAST_HERTZ), MOST_HERTZ)
        with self._lock:
            self._pause()
            self._sampler = self._make(name)
            self._sampler.begin()
            self._over = threading.Event()
            arguments = (self._sampler, self._over, period_s)
            self._thread = threading.Thread(target=_take, args=arguments, name="memory", daemon=True)
            self._thread.start()

    def end(self) -> dict[str, Any]:
        """The run, its last moment included, as it is told over the wire. Raises PlatformFailure without one."""
        with self._lock:
            self._pause()
            if self._sampler is None:
                raise PlatformFailure("No memory is being sampled.")
            use, self._sampler = self._sampler.end(), None
        return asdict(use)

    def _pause(self) -> None:
        self._over.set()
        if self._thread:
            self._thread.join()
        self._thread = None


def _take(sampler: Sampler, over: threading.Event, period_s: float) -> None:
    while not over.wait(period_s):
        sampler.take()
