"""How far a metric could be from its value, had other examples been drawn: bootstrap intervals over examples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from services.scoring.board import FloatArray
from services.scoring.metrics.metric import Given, Metric

REPLICATES = 1_000
CONFIDENCE = 0.95
_BLOCK_BYTES = 16 * 2**20


@dataclass(frozen=True)
class Estimate:
    """A metric's value over n examples and the ends of its 95 % interval, in the metric's unit.

    `replicates`, shape (replicates,), holds the value under each resample; None where nobody keeps them.
    """

    metric: Metric[Any]
    value: float
    low: float
    high: float
    n: int
    replicates: FloatArray | None = None


def seed_of(dataset_digest: str) -> int:
    """The seed of a dataset's resamples: its sha256 (hexadecimal, with or without `sha256:`) as a number.

    All models share the resamples of a dataset, so the difference of two models is a paired one.
    """
    return int(dataset_digest.rpartition(":")[2], 16)


def resampled_sums(statistics: FloatArray, seed: int, replicates: int = REPLICATES) -> FloatArray:
    """Sums over examples drawn with replacement; shape n × k -> replicates × k.

    The draws depend on the seed and n alone. Memory is bounded by blocks of replicates, whatever n.
    """
    count = len(statistics)
    draw = np.random.default_rng(seed)
    size = max(1, min(replicates, _BLOCK_BYTES // (8 * count)))
    blocks = []
    for start in range(0, replicates, size):
        times = np.empty((min(size, replicates - start), count))
        for row in times:
            row[:] = np.bincount(draw.integers(0, count, count), minlength=count)
        blocks.append(times @ statistics)
    return np.concatenate(blocks)


def within(unit: str, value: float, end: float) -> float:
    """An interval's end, not beyond what its metric can be: a share ("%") ends at 0 and 100.

    Resampled sums of shares, as of the AUROC, may pass an end that no model can. A metric whose own value is outside
    is no share, whatever its unit. No new metric version is due: value, resamples and ranking are what they were.
    """
    return min(max(end, 0.0), 100.0) if unit == "%" and 0.0 <= value <= 100.0 else end


def ends(metric: Metric[Any], value: float, values: FloatArray) -> tuple[float, float]:
    """The ends of a metric's 95 % interval, from its values under resamples, shape (replicates,)."""
    low, high = (within(metric.unit, value, end) for end in interval(values))
    return low, high


def interval(values: FloatArray) -> tuple[float, float]:
    """The ends of the 95 % interval of resampled values, shape (replicates,); NaN: a resample that says nothing."""
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.nanpercentile(values, [tail, 100 - tail])
    return float(low), float(high)


def estimates(
    metrics: Sequence[Metric[Given]], answers: Given, seed: int, replicates: int = REPLICATES
) -> list[Estimate]:
    """Each metric that applies to these answers, with its interval (percentiles of the resampled values)."""
    if not len(answers):
        return []
    applicable = [(metric, found) for metric in metrics if (found := metric.statistics(answers)) is not None]
    if not applicable:
        return []
    sums = resampled_sums(np.hstack([statistics for _, statistics in applicable]), seed, replicates)
    places = np.cumsum([statistics.shape[1] for _, statistics in applicable])
    result = []
    for (metric, statistics), columns in zip(applicable, np.split(sums, places[:-1], axis=1), strict=True):
        value = float(metric.value(statistics.sum(axis=0)))
        values = metric.value(columns)
        result.append(Estimate(metric, value, *ends(metric, value, values), len(answers), values))
    return result
