"""How sure a ranking is: intervals of every metric and score, from the resamples of its cells. Pure.

The units of a ranking (its AMRS) stay as they are while results are resampled: exchange rates are part of the method,
as the weights are, and a score is read beside the others on its board. What is uncertain about the AMRS moves all
models together and says nothing of who is better; `amrs_intervals` shows it by itself.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from services.scoring.amrs import steps_between
from services.scoring.board import FloatArray, IntArray
from services.scoring.goods import dataset_shares
from services.scoring.intervals import CONFIDENCE
from services.scoring.kept import Kept
from services.scoring.ranking import Goods, Ranking
from services.scoring.replicates import Replicates
from services.scoring.ties import Differences, differences

DERIVED_KEPT, DERIVED_S = 8, 3600.0
TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)


@dataclass(frozen=True, eq=False)
class Resamples:
    """How far every cell of a board lies from its value under each resample, 0 where there is no result.

    Shape metrics × datasets × models × replicates. `unpaired` counts the cells with stand-ins out of an interval,
    `certain` those of which nothing tells how far they could be off: they are taken at their word.
    """

    deviations: Replicates
    unpaired: int = 0
    certain: int = 0
    # What does not depend on the metrics' weights, for the next change of them.
    derived: Kept[Any] = field(default_factory=lambda: Kept(DERIVED_KEPT, DERIVED_S))


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """Of a ranking: deviations of the models' mean metrics, metrics × models × replicates, and of their scores.

    `scores` has the shape ranked models × replicates, for the rows `rows` of the ranking, best first.
    """

    ranking: Ranking
    metrics: Replicates
    rows: IntArray
    scores: Replicates
    resamples: Resamples

    @cached_property
    def metric_intervals(self) -> FloatArray:
        """Ends of the 95 % interval of each mean metric, raw units, shape models × metrics × 2."""
        ends = quantiles(self.metrics)
        return np.asarray(self.ranking.source.values[..., None] + ends.transpose(1, 0, 2))

    @cached_property
    def score_intervals(self) -> FloatArray:
        """Ends of the 95 % interval of each score, shape models × 2; NaN for a model without rank."""
        ends = np.full((len(self.ranking.scores), 2), np.nan)
        ends[self.rows] = self.ranking.scores[self.rows, None] + quantiles(self.scores)
        return ends

    @cached_property
    def differences(self) -> Differences:
        """Every pair of ranked models, in the order of `rows`."""
        return differences(self.ranking.scores[self.rows], self.scores)


def uncertainty(ranking: Ranking, resamples: Resamples) -> Uncertainty:
    """Carry the resamples of the cells through the same averages, units and weights as the values themselves."""
    source = ranking.source
    key = ("means", source.dataset_weights.tobytes())
    means: Replicates = resamples.derived.get(key, None, lambda: _means(source, resamples))
    rows = ranking.order[ranking.ranks[ranking.order] > 0]
    used = np.flatnonzero(ranking.weights)
    factors = (ranking.weights[used] / ranking.scale.units[used] * signs(ranking)[used]).astype(np.float32)
    scores = np.tensordot(factors, means[used], 1)[rows]
    return Uncertainty(ranking, means, rows, scores, resamples)


def _means(source: Goods, resamples: Resamples) -> Replicates:
    """Deviations of the means over datasets, metrics × models × replicates."""
    shares = dataset_shares(source.board, source.dataset_weights).T
    return np.stack(
        [np.tensordot(share.astype(np.float32), resamples.deviations[column], 1) for column, share in enumerate(shares)]
    )


def signs(ranking: Ranking) -> FloatArray:
    """1 for a metric of which more is better, -1 where less is, shape (metrics,)."""
    budgets = ranking.source.method.budgets
    return np.array([-1.0 if metric in budgets else 1.0 for metric in ranking.board.metrics])


def quantiles(deviations: Replicates) -> FloatArray:
    """The 2.5 % and 97.5 % points along the last axis, linear between neighbours: shape … × replicates -> … × 2."""
    ordered = np.sort(deviations, axis=-1)
    places = np.array(TAILS) * (ordered.shape[-1] - 1)
    below = places.astype(np.int64)
    above = np.minimum(below + 1, ordered.shape[-1] - 1)
    share = places - below
    return np.asarray(ordered[..., below] * (1 - share) + ordered[..., above] * share, dtype=np.float64)


def amrs_intervals(found: Uncertainty) -> FloatArray:
    """Ends of the 95 % interval of each AMRS, re-estimated in every resample, shape metrics × 2.

    Order, kept pairs and slopes are all made anew from the pool's resampled goods; the least difference that counts
    stays. A resample without a kept pair says nothing; where none has one, both ends are NaN, and 0 for a metric that
    is the same in all models.
    """
    source, threshold = found.ranking.source, found.ranking.scale.threshold or 0.0
    budgets = tuple(sorted(source.method.budgets.items()))
    key = ("amrs", source.dataset_weights.tobytes(), source.pool.tobytes(), source.base, threshold, budgets)
    ends: FloatArray = found.resamples.derived.get(key, None, lambda: _amrs_intervals(found, threshold))
    return ends


def _amrs_intervals(found: Uncertainty, threshold: float) -> FloatArray:
    source = found.ranking.source
    goods = source.goods[source.pool].T[..., None]
    deviations = signs(found.ranking)[:, None, None].astype(np.float32) * found.metrics[:, source.pool]
    # Deviations have seven digits: what is less than their rounding is no step, or a metric that all models share would
    # get a rate.
    least = FLOAT32_ROUNDING * np.abs(deviations).max(axis=(1, 2), initial=0.0)
    blocks = np.array_split(deviations, max(1, deviations.size // BLOCK), axis=2)
    usable = np.hstack([_rates(goods + block, source.base, threshold, least) for block in blocks])
    if not usable.shape[1]:
        return np.full((len(goods), 2), np.nan)
    return np.asarray(np.quantile(usable, TAILS, axis=1).T)


def _rates(goods: FloatArray, base: int, threshold: float, least: FloatArray) -> FloatArray:
    """The AMRS in each resample that has a kept pair, metrics × resamples; `goods`: metrics × models × resamples."""
    order = np.argsort(-goods[base], axis=0, kind="stable")
    ordered = np.take_along_axis(goods, order[None], axis=1)
    steps = steps_between(ordered[:, :-1], ordered[:, 1:])
    steps[np.abs(steps) <= least[:, None, None]] = 0.0
    kept = np.abs(steps[base]) > threshold
    with np.errstate(all="ignore"):
        slopes = np.where(kept, np.abs(steps / steps[base]), 0.0)
        rates = slopes.sum(axis=1) / kept.sum(axis=0)
    return np.asarray(rates[:, kept.any(axis=0)])


# Relative; of means of a few hundred such numbers.
FLOAT32_ROUNDING = 1e-6
# So many numbers at a time fit into the caches of a processor.
BLOCK = 2**18
