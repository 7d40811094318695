"""A short fixed piece of work, timed before and after each measurement: does the machine still run as it did?

Every measurement is paired with the reference, so what slows both down cancels. The canary is for what does not: a
processor that throttles, a neighbour in its caches, a host that differs from others of its profile.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dynaboard.measurement.statistics import quantile

# The best of so many rounds: a moment of somebody else's work does not show, a slower machine does.
REPEATS = 25
COMPUTE_BYTES, MEMORY_BYTES = 4 * 1024**2, 32 * 1024**2
# By how much (a share of speed) the machine may differ from what is remembered, while that is little; then twice what
# 19 of 20 stayed within (times have a long upper tail: three standard deviations are not rare), within these bounds.
UNTRIED, LEAST, MOST = 0.10, 0.05, 0.20
FEW = 20


@dataclass(frozen=True)
class Canary:
    """How long the work took (seconds): one part is bound by the processor, the other by memory."""

    compute_s: float
    memory_s: float


def sing() -> Canary:
    """Do the work; about a tenth of a second."""
    block = bytes(range(256)) * (COMPUTE_BYTES // 256)
    source, target = block * (MEMORY_BYTES // COMPUTE_BYTES), memoryview(bytearray(MEMORY_BYTES))

    def copy() -> None:
        target[:] = source  # into memory that is there already: the kernel has no part in it

    return Canary(_best(lambda: hashlib.sha256(block).digest()), _best(copy))


def _best(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def remembered(canaries: Sequence[Canary]) -> Canary | None:
    """What to expect: the medians of the canaries of a hardware profile's good measurements; None without any. Pure."""
    if not canaries:
        return None
    compute, memory = [canary.compute_s for canary in canaries], [canary.memory_s for canary in canaries]
    return Canary(quantile(compute, 0.5), quantile(memory, 0.5))


def drift(now: Canary, expected: Canary | None) -> float:
    """How much faster the machine is than expected, as a share; slower: below 0. The part further off counts. Pure."""
    if expected is None:
        return 0.0
    return max(expected.compute_s / now.compute_s - 1, expected.memory_s / now.memory_s - 1, key=abs)


def limit(canaries: Sequence[Canary]) -> float:
    """The greatest drift that is usual, by what is remembered. Pure."""
    if len(canaries) < FEW:
        return UNTRIED
    expected = remembered(canaries)
    drifts = [abs(drift(canary, expected)) for canary in canaries]
    return min(max(LEAST, 2 * quantile(drifts, 0.95)), MOST)
