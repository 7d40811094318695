"""Which models the data can tell apart, all pairs at once: simultaneous rank intervals and tie groups. Pure.

Differences of scores are divided by their bootstrap deviation; the critical value is the 95 % point, over resamples, of
the greatest such difference among all pairs (single-step max-T; Westfall & Young 1993). So with 95 % confidence no pair
is called different that is not, and every rank lies within its interval (Mogstad, Romano, Shaikh & Wilhelm 2024,
"Inference for Ranks"; Klein, Wright & Wieczorek 2020 build the same from joint intervals).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from scipy.stats import norm

from services.scoring.board import BoolArray, FloatArray, IntArray
from services.scoring.intervals import CONFIDENCE
from services.scoring.replicates import Replicates

# Beyond so many models the greatest difference is bounded by Bonferroni's inequality: a little wider, far cheaper.
MOST_RESAMPLED = 250
Comparison = Literal["max-t", "bonferroni"]


@dataclass(frozen=True, eq=False)
class Differences:
    """Score of the row's model less that of the column's, and its bootstrap deviation; shapes models × models.

    `greatest` is the sorted greatest |t| of each resample, None where `method` is Bonferroni's.
    """

    values: FloatArray
    deviations: FloatArray
    critical: float
    method: Comparison
    greatest: FloatArray | None

    @cached_property
    def t(self) -> FloatArray:
        """|difference| in deviations; 0 for equal models, infinite where a difference has no spread at all."""
        with np.errstate(all="ignore"):
            ratios = np.abs(self.values) / self.deviations
        return np.asarray(np.where(self.values == 0, 0.0, np.where(self.deviations > 0, ratios, np.inf)))

    @cached_property
    def different(self) -> BoolArray:
        """Which pairs the data tells apart, symmetric, shape models × models."""
        return np.asarray(self.t > self.critical)


def differences(scores: FloatArray, deviations: Replicates) -> Differences:
    """All pairs of models; `scores` shape (models,), their `deviations` under resamples, models × replicates."""
    values = scores[:, None] - scores[None, :]
    spread = pair_deviations(deviations)
    count = len(scores)
    if count > MOST_RESAMPLED:
        pairs = count * (count - 1) / 2
        return Differences(values, spread, float(norm.isf((1 - CONFIDENCE) / 2 / pairs)), "bonferroni", None)
    greatest = greatest_t(deviations, spread)
    critical = float(np.quantile(greatest, CONFIDENCE)) if count > 1 else 0.0
    return Differences(values, spread, critical, "max-t", greatest)


def pair_deviations(deviations: Replicates) -> FloatArray:
    """The standard deviation of each pair's difference over resamples, shape models × models.

    Below a millionth of what the two models vary by, it is the rounding of floats, and 0.
    """
    centred = deviations - deviations.mean(axis=1, keepdims=True)
    products = (centred @ centred.T).astype(np.float64) / max(deviations.shape[1] - 1, 1)
    variances = np.diag(products)
    sums = variances[:, None] + variances[None, :]
    squares = sums - 2 * products
    return np.asarray(np.sqrt(np.where(squares > 1e-6 * sums, squares, 0.0)))


def greatest_t(deviations: Replicates, spread: FloatArray) -> FloatArray:
    """The greatest |t| over all pairs in each resample, sorted; 0 where no pair has a spread. Shape (replicates,)."""
    with np.errstate(divide="ignore"):
        inverse = np.where(spread > 0, 1 / spread, 0.0).astype(np.float32)
    centred = deviations - deviations.mean(axis=1, keepdims=True)
    greatest = np.zeros(deviations.shape[1], dtype=np.float32)
    for row in range(len(deviations) - 1):
        gaps = centred[row + 1 :] - centred[row]
        np.abs(gaps, out=gaps)
        gaps *= inverse[row, row + 1 :, None]
        np.maximum(greatest, gaps.max(axis=0), out=greatest)
    return np.sort(greatest).astype(np.float64)


def rank_intervals(found: Differences) -> IntArray:
    """The best and the worst rank of each model that the data leaves open, all at once, shape models × 2."""
    above = (found.different & (found.values < 0)).sum(axis=1)
    below = (found.different & (found.values > 0)).sum(axis=1)
    return np.column_stack([1 + above, len(above) - below])


def tie_groups(found: Differences) -> IntArray:
    """Numbers from 1, for models ordered best first: a group are its best model and those next not told apart from it.

    Being told apart is no equivalence (a ties with b, b with c, a not with c): a new group begins with the first model
    that differs from the best of the group before. `different` holds the whole truth of pairs.
    """
    groups = np.ones(len(found.values), dtype=np.int64)
    head = 0
    for row in range(1, len(groups)):
        if found.different[head, row]:
            head = row
        groups[row] = groups[row - 1] + (head == row)
    return groups
