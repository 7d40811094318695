"""Latency of single requests, and what the harness has in it."""

from collections.abc import Sequence
from itertools import accumulate

from dynaboard.measurement import statistics
from dynaboard.measurement.driver import singly
from dynaboard.measurement.findings import Latency, Window
from dynaboard.measurement.profiles import Profile
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch

# As MLPerf's LoadGen reports percentiles: their 99 % upper bound. p90 needs 44 requests, p99 needs 459.
CONFIDENCE = 0.99
# A harness with more than this share of a model's p50 says more of itself than of the model.
GREATEST_FLOOR = 0.05
# Enough windows to see a stall or a trend in a plot, few enough to keep with every measurement.
MOST_WINDOWS = 100


async def latency(predictor: Predictor, single: Sequence[Batch], floor: float | None, profile: Profile) -> Latency:
    """Ask one example at a time. Raises ModelFailure or PlatformFailure."""

    def long_enough(count: int, seconds: float) -> bool:
        asked = count >= profile.least_requests and seconds >= profile.latency_s
        return asked or (count > 0 and seconds >= profile.latency_cap_s)

    return described(await singly(predictor, single, long_enough), floor)


def described(seconds: Sequence[float], floor: float | None) -> Latency:
    """The percentiles of these latencies. Pure."""
    return Latency(
        p50=statistics.quantile(seconds, 0.5),
        p50_interval=statistics.median_interval(seconds),
        p90=statistics.quantile(seconds, 0.9),
        p90_upper=statistics.upper_bound(seconds, 0.9, CONFIDENCE),
        p99=statistics.upper_bound(seconds, 0.99, CONFIDENCE),
        requests=len(seconds),
        floor=floor,
        course=course_of(seconds),
    )


def course_of(seconds: Sequence[float]) -> tuple[Window, ...]:
    """These latencies, one after the other, in at most MOST_WINDOWS windows of equally many requests. Pure.

    The time of a window is the sum of the latencies before it: each request was sent when the one before had returned.
    """
    size = max(-(-len(seconds) // MOST_WINDOWS), 1)
    sent = [0.0, *accumulate(seconds)]
    parts = [(sent[first], seconds[first : first + size]) for first in range(0, len(seconds), size)]
    return tuple(Window(start, statistics.quantile(part, 0.5), max(part)) for start, part in parts)


async def floor_of(echo: Predictor, single: Sequence[Batch], profile: Profile) -> float:
    """The echo model's p50 in seconds: what the same requests cost with no model behind them."""

    def long_enough(count: int, seconds: float) -> bool:
        return count >= len(single) and seconds >= profile.floor_s

    return statistics.quantile(await singly(echo, single, long_enough), 0.5)


def harness_is_heavy(found: Latency) -> bool:
    """Whether the harness is too large a part of the model's p50 for it to be the model's own."""
    return found.floor is not None and found.floor > GREATEST_FLOOR * found.p50
