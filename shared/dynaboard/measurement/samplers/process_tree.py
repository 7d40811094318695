"""Samples a tree of processes through /proc: works everywhere on Linux, needs no cgroup of its own.

Pages that processes share after a fork would count once for each. They are counted once here: what is shared is
asked of the kernel (PSS), which is dear, so only of a tree of several processes and within a budget of CPU time.
"""

import time
from collections.abc import Callable, Iterable, Sequence

from dynaboard.measurement.samplers.footprint import (
    Footprint,
    footprint,
    proportional,
    reset_high_water,
    scratch,
)
from dynaboard.measurement.samplers.sample import MemoryUse

# Shares of one core spent on asking what is shared: while the tree stays as it is, and when processes came or went.
CALM_BUDGET, CHANGED_BUDGET = 0.004, 0.02

Pids = Callable[[], Sequence[int]]


def _none() -> Sequence[int]:
    return ()


class ProcessTree:
    """Samples the processes that `model` lists; those that `server` lists are reported apart."""

    name = "process-tree"

    def __init__(self, model: Pids, server: Pids = _none) -> None:
        self._model = model
        self._server = server
        self._shared = Shared()
        self._forget()

    def _forget(self) -> None:
        self._started = time.perf_counter()
        self._samples: list[tuple[float, int]] = []
        self._server_sizes: list[int] = []
        self._files: dict[int, int] = {}
        self._unresettable = False
        self._peak = 0

    def begin(self) -> None:
        """Reset the marks of every process and take the first sample."""
        self._forget()
        for pid in self._model():
            reset_high_water(pid)
        self.take()

    def take(self) -> None:
        """Read every process once, and its mark since the sample before."""
        pids = self._model()
        found = {pid: seen for pid in pids if (seen := footprint(pid))}
        at = time.perf_counter() - self._started
        marks = self._marks(found)
        twice = self._shared.bytes(found)
        held = scratch(pids[0]) if pids else 0
        anon, shmem = sum(seen.anon for seen in found.values()), sum(seen.shmem for seen in found.values())
        # A mapped file of /dev/shm is both mapped and held there: the larger of the two, never both.
        beside = max(shmem, held) - shmem
        used = anon + shmem + beside - twice
        self._samples.append((at, used))
        self._peak = max(self._peak, used, marks + beside - twice)
        self._server_sizes += [sum(seen.used for pid in self._server() if (seen := footprint(pid)))]

    def _marks(self, found: dict[int, Footprint]) -> int:
        """The most since the sample before, all processes together; resets the marks.

        Each process's own most, summed: they need not have met, but they were within one sampling period of each
        other. The kernel's mark holds file pages too: the fewer of those at both ends of the period are taken off,
        so that the peak is never told too low.
        """
        total = 0
        for pid, seen in found.items():
            resettable = reset_high_water(pid)
            self._unresettable |= not resettable
            files = min(seen.file, self._files.get(pid, seen.file))
            total += seen.high_water - files if resettable else seen.used
        self._files = {pid: seen.file for pid, seen in found.items()}
        return total

    def end(self) -> MemoryUse:
        """The run, its last moment included."""
        self.take()
        sizes = self._server_sizes
        return MemoryUse(
            sampler=self.name,
            samples=tuple(self._samples),
            peak=self._peak,
            peak_source="samples" if self._unresettable else "kernel",
            server=sum(sizes) / len(sizes) if self._server() else None,
        )


class Shared:
    """How many bytes of a process tree are counted more than once, asked of the kernel within a budget of CPU time."""

    def __init__(self) -> None:
        self._pids: Iterable[int] = ()
        self._bytes = 0
        self._cost_s = 0.0
        self._asked = float("-inf")

    def bytes(self, found: dict[int, Footprint]) -> int:
        """What to take off the sum over these processes."""
        if len(found) < 2:
            return 0
        budget = CALM_BUDGET if found.keys() == self._pids else CHANGED_BUDGET
        if time.monotonic() - self._asked >= self._cost_s / budget:
            self._ask(found)
        return self._bytes

    def _ask(self, found: dict[int, Footprint]) -> None:
        began = time.thread_time()
        both = [(seen.used, share) for pid, seen in found.items() if (share := proportional(pid)) is not None]
        self._bytes = max(sum(used - share for used, share in both), 0)
        self._cost_s = time.thread_time() - began
        self._asked = time.monotonic()
        self._pids = frozenset(found)
