"""Energy of a model's work from the machine's own counters (joules): where there are none, nothing is said.

RAPL counts the processor packages and their memory, NVML the graphics cards. Both count everything on the machine, so
what it takes idle, just before each block, is taken off.
"""

import asyncio
import ctypes
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dynaboard.measurement.driver import Replies
from dynaboard.measurement.statistics import median_interval, quantile
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch

POWERCAP = Path("/sys/class/powercap")
NVML = "libnvidia-ml.so.1"
ROUNDS = 8
# The counters move every millisecond: a block of this length (seconds) is known to a percent.
LEAST_BLOCK_S = 0.5


class Counter:
    """A counter of energy that only grows, until it wraps around at `wraps_at` (none: never). Joules since the start.

    Must be read at least once between two wraps: minutes on a server.
    """

    def __init__(self, name: str, read: Callable[[], float], wraps_at: float | None) -> None:
        self.name = name
        self._read = read
        self._wraps_at = wraps_at
        self._last = read()
        self._total = 0.0

    def joules(self) -> float:
        """What has been used since the start."""
        now = self._read()
        step = now - self._last
        if step < 0:
            step = step + self._wraps_at if self._wraps_at else 0.0
        self._last = now
        self._total += step
        return self._total


@dataclass(frozen=True)
class Meter:
    """All counters of a machine."""

    counters: tuple[Counter, ...]

    def joules(self) -> float:
        """What they counted since the start, together."""
        return sum(counter.joules() for counter in self.counters)

    @property
    def names(self) -> tuple[str, ...]:
        """Whose energy it is."""
        return tuple(counter.name for counter in self.counters)


def meter(powercap: Path = POWERCAP, nvml: str = NVML) -> Meter | None:
    """The counters of this machine; None where there are none, or where one of RAPL's may not be read (by root only).

    A part would be a wrong number rather than a smaller one.
    """
    try:
        counters = (*rapl(powercap), *graphics(nvml))
    except OSError:
        return None
    return Meter(counters) if counters else None


def rapl(powercap: Path) -> Iterator[Counter]:
    """Processor packages and their memory. Cores and graphics are inside a package, `psys` holds all of them.

    Raises OSError when a counter may not be read.
    """
    for zone in sorted(powercap.glob("intel-rapl:*")):  # AMD's too
        name = (zone / "name").read_text().strip()
        if name.startswith("package") or name == "dram":
            wraps_at = int((zone / "max_energy_range_uj").read_text()) / 1e6
            yield Counter(f"rapl {zone.name} {name}", partial(_microjoules, zone), wraps_at)


def _microjoules(zone: Path) -> float:
    return int((zone / "energy_uj").read_text()) / 1e6


def graphics(library: str) -> Iterator[Counter]:
    """NVIDIA's cards since Volta, by their driver's library; none without it."""
    try:
        nvml = ctypes.CDLL(library)
    except OSError:
        return
    if nvml.nvmlInit_v2() != 0:
        return
    count = ctypes.c_uint()
    nvml.nvmlDeviceGetCount_v2(ctypes.byref(count))
    for index in range(count.value):
        card, millijoules = ctypes.c_void_p(), ctypes.c_ulonglong()
        nvml.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(card))
        if nvml.nvmlDeviceGetTotalEnergyConsumption(card, ctypes.byref(millijoules)) == 0:
            yield Counter(f"nvml {index}", partial(_millijoules, nvml, card), None)


def _millijoules(nvml: ctypes.CDLL, card: ctypes.c_void_p) -> float:
    value = ctypes.c_ulonglong()
    nvml.nvmlDeviceGetTotalEnergyConsumption(card, ctypes.byref(value))
    return value.value / 1e3


@dataclass(frozen=True)
class EnergyBlock:
    """One block of work, and the idle time before it."""

    seconds: float
    joules: float
    examples: int
    idle_watts: float

    @property
    def per_thousand(self) -> float:
        """Joules for 1,000 examples beyond what the idle machine takes."""
        return (self.joules - self.idle_watts * self.seconds) / self.examples * 1000


@dataclass(frozen=True)
class Energy:
    """Joules for 1,000 examples beyond idle: the median over blocks, its 95 % interval, and the blocks."""

    value: float
    low: float
    high: float
    counters: tuple[str, ...]
    blocks: tuple[EnergyBlock, ...]


def energy(counters: tuple[str, ...], blocks: Sequence[EnergyBlock]) -> Energy | None:
    """What these blocks tell; None when the work does not stand out from the idle machine. Pure."""
    values = [block.per_thousand for block in blocks]
    low, high = median_interval(values)
    return Energy(quantile(values, 0.5), low, high, counters, tuple(blocks)) if low > 0 else None


async def energy_of(
    predictor: Predictor, batches: Sequence[Batch], block_s: float, found: Meter | None
) -> Energy | None:
    """Measure a model that is warm on a quiet machine; None at once where nothing counts energy.

    Takes 16 blocks, half of them idle. Raises ModelFailure or PlatformFailure.
    """
    if found is None:
        return None
    block_s = max(block_s, LEAST_BLOCK_S)
    blocks = [await _block(predictor, batches, block_s, found) for _ in range(ROUNDS)]
    return energy(found.names, blocks)


async def _block(predictor: Predictor, batches: Sequence[Batch], block_s: float, found: Meter) -> EnergyBlock:
    resting, before = time.perf_counter(), found.joules()
    await asyncio.sleep(block_s)
    began, at_start = time.perf_counter(), found.joules()
    until = began + block_s

    def passes() -> Iterator[Batch]:
        while time.perf_counter() < until:
            yield from batches

    examples, kept = 0, Replies(predictor)
    async with aclosing(predictor.replies(passes())) as replies:
        async for reply in replies:
            examples += len(reply.batch.examples)
            if not kept.add(reply):
                break
    joules, seconds = found.joules() - at_start, time.perf_counter() - began
    await kept.check()
    return EnergyBlock(seconds, joules, examples, (at_start - before) / (began - resting))
