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


AVERAGES: Mapping[Slope, Callable[..., FloatArray]] = {Slope.MEAN: np.mean, Slope.MEDIAN: np.median}


def amrs(goods: FloatArray, base: int, kept: BoolArray, slope: Slope = Slope.MEAN) -> FloatArray:
    """Mean |ΔM| / |Δbase| over the kept pairs of neighbours (paper, equation 1) or their median, shape (metrics,).

    `goods`, shape models × metrics, is sorted by column `base`. Without a kept pair the rate of a metric is 0;
    where numbers leave the range of floats it is NaN. The base metric's is always 1.
    """
    rates = np.zeros(goods.shape[1])
    if kept.any():
        with np.errstate(all="ignore"):
            steps = np.diff(goods, axis=0)[kept]
            rates = AVERAGES[slope](np.abs(steps / steps[:, [base]]), axis=0)
        rates[~np.isfinite(rates)] = np.nan
    rates[base] = 1.0
    return rates
