"""Every pair of models: how much they differ, how surely, and p-values corrected for there being many. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import false_discovery_control, norm

from services.scoring.board import FloatArray, IntArray
from services.scoring.replicates import Z
from services.scoring.ties import Differences
from services.scoring.uncertainty import Uncertainty


@dataclass(frozen=True, eq=False)
class Pairs:
    """One entry a pair of ranked models, the better first; all arrays have the shape (pairs,).

    `better` and `worse` are rows of the ranking. `low` and `high` bound this difference alone at 95 %; `probability` is
    the share of resamples in which the better model stays above, ties counted half; `p` is two-sided, of this pair
    alone, `adjusted` is corrected for all pairs.
    """

    better: IntArray
    worse: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    probability: FloatArray
    p: FloatArray
    adjusted: FloatArray


def pairs(found: Uncertainty, correction: str) -> Pairs:
    """All pairs of ranked models, in the order of the board, corrected by one of CORRECTIONS (KeyError otherwise)."""
    compared = found.differences
    first, second = np.triu_indices(len(found.rows), 1)
    difference, spread = compared.values[first, second], compared.deviations[first, second]
    t = compared.t[first, second]
    p = 2 * norm.sf(t)
    return Pairs(
        found.rows[first],
        found.rows[second],
        difference,
        difference - Z * spread,
        difference + Z * spread,
        probabilities(found)[first, second],
        p,
        CORRECTIONS[correction](compared, t, p),
    )


def probabilities(found: Uncertainty) -> FloatArray:
    """P(row's model above column's): the share of resamples, ties counted half; shape ranked × ranked."""
    scores = found.ranking.scores[found.rows, None] + found.scores.astype(np.float64)
    count = len(scores)
    share = np.full((count, count), 0.5)
    for row in range(count - 1):
        gaps = scores[row] - scores[row + 1 :]
        share[row, row + 1 :] = ((gaps > 0).mean(axis=1) + (gaps >= 0).mean(axis=1)) / 2
        share[row + 1 :, row] = 1 - share[row, row + 1 :]
    return share


def _max_t(found: Differences, t: FloatArray, p: FloatArray) -> FloatArray:
    """The share of resamples whose greatest |t| is at least this pair's (one added to both, so never 0)."""
    if found.greatest is None:
        return np.asarray(np.minimum(p * len(p), 1.0))
    reached = len(found.greatest) - np.searchsorted(found.greatest, t, "left")
    return np.asarray((1 + reached) / (1 + len(found.greatest)))


def _benjamini_hochberg(found: Differences, t: FloatArray, p: FloatArray) -> FloatArray:
    return np.asarray(false_discovery_control(p, method="bh")) if len(p) else p


def _benjamini_yekutieli(found: Differences, t: FloatArray, p: FloatArray) -> FloatArray:
    return np.asarray(false_discovery_control(p, method="by")) if len(p) else p


def _none(found: Differences, t: FloatArray, p: FloatArray) -> FloatArray:
    return p


# Family-wise error (max-T, as for tie groups), false discovery rate under any dependence or a benign one, or nothing.
CORRECTIONS: Mapping[str, Callable[[Differences, FloatArray, FloatArray], FloatArray]] = {
    "max-t": _max_t,
    "by": _benjamini_yekutieli,
    "bh": _benjamini_hochberg,
    "none": _none,
}
