"""Order statistics: they hold for any distribution, and those of shared machines are never normal. Pure."""

import bisect
import itertools
import math
from collections.abc import Sequence

INTERVAL_CONFIDENCE = 0.95


def quantile(values: Sequence[float], share: float) -> float:
    """The sample quantile: for one half the mean of the middle two where they are two, else the nearest rank."""
    ordered = sorted(values)
    if share == 0.5:
        return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def median_interval(values: Sequence[float], confidence: float = INTERVAL_CONFIDENCE) -> tuple[float, float]:
    """The order statistics that hold the true median with this confidence; below six values their whole range."""
    ordered, count = sorted(values), len(values)
    # P(X_(rank) > median) = P(Bin(count, 1/2) < rank): as far in as both ends allow.
    missed = itertools.accumulate(_binomial_pmf(below, count, 0.5) for below in range(count // 2))
    rank = max(sum(1 for _ in itertools.takewhile(lambda share: share <= (1 - confidence) / 2, missed)), 1)
    return ordered[rank - 1], ordered[-rank]


def upper_bound(values: Sequence[float], share: float, confidence: float) -> float | None:
    """The least order statistic above the true quantile with this confidence; None when there are too few values.

    At 99 % it is what MLPerf's LoadGen reports (early stopping): p90 needs 44 values, p99 needs 459.
    """
    ordered, count = sorted(values), len(values)
    tail = 0.0
    bound: float | None = None
    for rank in range(count, 0, -1):  # P(X_(rank) ≥ quantile) = P(Bin(count, share) < rank) = 1 − tail
        tail += _binomial_pmf(rank, count, share)
        if 1 - tail < confidence:
            break
        bound = ordered[rank - 1]
    return bound


def _binomial_pmf(successes: int, trials: int, share: float) -> float:
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    return math.exp(ways + successes * math.log(share) + (trials - successes) * math.log1p(-share))


def time_weighted_mean(samples: Sequence[tuple[float, float]]) -> float:
    """The mean over time of (time, value) samples, each pair joined by a straight line. NaN without samples."""
    if len(samples) < 2 or samples[-1][0] <= samples[0][0]:
        return samples[0][1] if samples else math.nan
    pairs = itertools.pairwise(samples)
    area = math.fsum((later - sooner) * (a + b) / 2 for (sooner, a), (later, b) in pairs)
    return area / (samples[-1][0] - samples[0][0])


def mean_within(samples: Sequence[tuple[float, float]], spans: Sequence[tuple[float, float]]) -> float:
    """The time-weighted mean of (time, value) samples over these spans of time (start, end) alone.

    Values at the ends of a span lie on the line between its neighbours. NaN without samples.
    """
    weighted = [(end - start, time_weighted_mean(_clipped(samples, start, end))) for start, end in spans]
    total = math.fsum(seconds for seconds, _ in weighted)
    return math.fsum(seconds * mean for seconds, mean in weighted) / total if total else time_weighted_mean(samples)


def _clipped(samples: Sequence[tuple[float, float]], start: float, end: float) -> list[tuple[float, float]]:
    first = bisect.bisect_right(samples, start, key=_time)
    inside = samples[first : bisect.bisect_left(samples, end, lo=first, key=_time)]
    return [(start, _at(samples, start)), *inside, (end, _at(samples, end))] if samples else []


def _time(sample: tuple[float, float]) -> float:
    return sample[0]


def _at(samples: Sequence[tuple[float, float]], time: float) -> float:
    """The value at a time: on the line between two samples, that of the nearest outside them."""
    place = bisect.bisect_left(samples, time, key=_time)
    if place == 0 or place == len(samples):
        return samples[min(place, len(samples) - 1)][1]
    (sooner, before), (later, after) = samples[place - 1], samples[place]
    return before + (after - before) * (time - sooner) / (later - sooner) if later > sooner else after
