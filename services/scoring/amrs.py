"""The average marginal rate of substitution: what one point of the base metric costs in each other metric."""

from collections.abc import Callable, Mapping

import numpy as np

from services.scoring.board import BoolArray, FloatArray
from services.scoring.method import Slope


def kept_pairs(base: FloatArray, threshold: float) -> BoolArray:
    """Which neighbours differ enough to count: |Δbase| > threshold, strictly. `base` is sorted; shape (models - 1,)."""
    with np.errstate(over="ignore"):
        kept: BoolArray = np.abs(np.diff(base)) > threshold
    return kept


def steps_between(first: FloatArray, second: FloatArray) -> FloatArray:
    """second - first, and 0 where that is within the rounding of the numbers themselves; shapes as given."""
    with np.errstate(over="ignore"):
        steps = second - first
    noise = np.abs(steps) <= ROUNDING * np.maximum(np.abs(first), np.abs(second))
    return np.asarray(np.where(noise, 0.0, steps))


# Relative; the mean over a thousand datasets is off by less.
ROUNDING = 1e-12
AVERAGES: Mapping[Slope, Callable[..., FloatArray]] = {Slope.MEAN: np.mean, Slope.MEDIAN: np.median}


def amrs(goods: FloatArray, base: int, kept: BoolArray, slope: Slope = Slope.MEAN) -> FloatArray:
    """Mean |ΔM| / |Δbase| over the kept pairs of neighbours (paper, equation 1) or their median, shape (metrics,).

    `goods`, shape models × metrics, is sorted by column `base`. Without a kept pair the rate of a metric is 0;
    where numbers leave the range of floats it is NaN. The base metric's is always 1.
    Steps no larger than the rounding of a mean are 0: else a metric that all models share would get a rate of 1e-17
    instead of none, and scores of 1e16.
    """
    rates = np.zeros(goods.shape[1])
    if kept.any():
        with np.errstate(all="ignore"):
            steps = steps_between(goods[:-1][kept], goods[1:][kept])
            rates = AVERAGES[slope](np.abs(steps / np.diff(goods[:, [base]], axis=0)[kept]), axis=0)
        rates[~np.isfinite(rates)] = np.nan
    rates[base] = 1.0
    return rates
