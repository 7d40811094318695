"""Requests that come when they come, whether or not the model keeps up: latency counts from the scheduled time.

A closed loop waits for a stalled model and so never asks while it stalls (coordinated omission); users do.
"""

import asyncio
import itertools
import math
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from random import Random

from dynaboard.measurement import statistics
from dynaboard.measurement.driver import Replies
from dynaboard.measurement.profiles import Profile
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch

OBJECTIVE_SHARE, OBJECTIVE_CONFIDENCE = 0.95, 0.95
# The first rate tried, as a share of what single requests one after the other reach; and the step while rates hold.
FIRST_SHARE, STEP = 0.7, 1.4
# Connections. A request beyond them waits on our side, and its wait counts.
MOST_OPEN = 128


@dataclass(frozen=True)
class Probe:
    """One rate tried (requests/s, one example each). Latencies in seconds from the scheduled time; inf: no answer.

    `p95_upper` is the 95 % upper bound of p95, None below 59 requests; `p99` the sample's.
    """

    rate: float
    requests: int
    p50: float
    p95_upper: float | None
    p99: float
    held: bool


@dataclass(frozen=True)
class OpenLoop:
    """The greatest rate tried (requests/s) whose p95 stayed below the objective (seconds); None: none of them did."""

    rate: float | None
    objective_s: float
    probes: tuple[Probe, ...]


def arrivals(rate: float, count: int, seed: str) -> list[float]:
    """When requests come, in seconds: a Poisson process of this rate (requests/s), the same for a seed."""
    random = Random(seed)
    return list(itertools.accumulate(random.expovariate(rate) for _ in range(count)))


def next_rate(probes: Sequence[Probe], alone: float) -> float:
    """The rate to try next, by what was found; `alone`: requests/s one after the other.

    Up while rates hold, down while none has; then the geometric mean of the best that held and the least that did not.
    """
    held = [probe.rate for probe in probes if probe.held]
    failed = [probe.rate for probe in probes if not probe.held]
    if held and failed and max(held) < min(failed):
        return math.sqrt(max(held) * min(failed))
    if failed:
        return min(failed) / STEP**2
    return max(held) * STEP if held else alone * FIRST_SHARE


def judged(rate: float, latencies: Sequence[float], objective_s: float) -> Probe:
    """A probe from the latencies it saw; it held when the upper bound of p95 is within the objective."""
    bound = statistics.upper_bound(latencies, OBJECTIVE_SHARE, OBJECTIVE_CONFIDENCE)
    return Probe(
        rate=rate,
        requests=len(latencies),
        p50=statistics.quantile(latencies, 0.5),
        p95_upper=None if bound == math.inf else bound,
        p99=statistics.quantile(latencies, 0.99),
        held=bound is not None and bound <= objective_s,
    )


async def open_loop(predictor: Predictor, single: Sequence[Batch], alone: float, profile: Profile) -> OpenLoop:
    """Look for the greatest rate that holds the objective. `alone`: requests/s one after the other.

    A model that misses the objective even alone is not asked. Raises ModelFailure when an answer breaks the contract; a
    request that is refused counts as never answered.
    """
    probes: list[Probe] = []
    for number in range(profile.probes if alone * profile.objective_s >= 1 else 0):
        rate = next_rate(probes, alone)
        count = min(max(rate * profile.probe_s, profile.probe_requests), rate * profile.probe_cap_s)
        schedule = arrivals(rate, max(round(count), 1), f"dynaboard open loop {number}")
        probes.append(judged(rate, await latencies(predictor, single, schedule), profile.objective_s))
    held = [probe.rate for probe in probes if probe.held]
    return OpenLoop(max(held, default=None), profile.objective_s, tuple(probes))


async def latencies(predictor: Predictor, single: Sequence[Batch], schedule: Sequence[float]) -> list[float]:
    """Seconds from each scheduled time to its answer, inf where there was none. `schedule` in seconds from now on.

    Raises ModelFailure or PlatformFailure when an answer breaks the contract.
    """
    kept, places = Replies(predictor), asyncio.Semaphore(MOST_OPEN)
    began = time.perf_counter()

    async def one(batch: Batch, due: float) -> float:
        async with places, aclosing(predictor.replies((batch,), 1)) as coming:
            reply = await anext(coming)
        seconds = time.perf_counter() - began - due
        return seconds if reply.status == 200 and kept.add(reply) else math.inf

    tasks: list[asyncio.Task[float]] = []
    try:
        for batch, due in zip(itertools.cycle(single), schedule, strict=False):
            await asyncio.sleep(max(due - (time.perf_counter() - began), 0))
            tasks.append(asyncio.create_task(one(batch, due)))
        seconds = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
    await kept.check()
    return seconds
