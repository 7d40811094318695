"""How much exchange rates, and the order they make, owe to single models and to epsilon. Pure.

The mean of slopes is fragile: one near-clone of a model at another cost is a steep slope, and may move an AMRS tenfold.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from services.scoring.board import BoolArray, FloatArray, IntArray
from services.scoring.dynascore import dynascore_of
from services.scoring.method import Epsilon, EpsilonMode, Slope
from services.scoring.ranking import Goods, Ranking

# Only the order among so many of the best is watched: pairs grow with the square.
MOST_WATCHED = 200


@dataclass(frozen=True, eq=False)
class Variation:
    """A ranking by other exchange rates, beside the one that is shown.

    `rates` has the shape (metrics,), NaN for a metric left out. `moved` holds the pairs of rows whose order is another,
    the one now above first.
    """

    rates: FloatArray
    kept_pairs: int
    moved: tuple[tuple[int, int], ...]


def rates_of(ranking: Ranking) -> FloatArray:
    """The AMRS of each metric, NaN for one that is left out."""
    excluded = np.array([metric in ranking.scale.excluded for metric in ranking.board.metrics])
    return np.where(excluded, np.nan, ranking.scale.units)


def without_each(ranking: Ranking) -> Iterator[tuple[int, Variation]]:
    """For each model of the pool: its row, and the ranking of all others if it had never been submitted.

    Pairs with the model itself are left aside; it is what the model does to others that counts.
    """
    source, watched = ranking.source, _watched(ranking)
    for place, row in enumerate(source.pool):
        other = dynascore_of(replace(source, pool=np.delete(source.pool, place)))
        yield int(row), _variation(ranking, other, watched[watched != row])


def with_slope(ranking: Ranking, slope: Slope) -> Variation:
    """The same board by the mean or by the median of slopes."""
    return _variation(ranking, dynascore_of(_by(ranking.source, slope=slope)), _watched(ranking))


def epsilon_steps(ranking: Ranking, most: int = 12) -> Iterator[tuple[float, Variation]]:
    """Every epsilon (in units of the base metric) at which a pair of neighbours drops out, from 0 upwards; exact.

    Between two of these nothing changes. The last pair's is left out, as no exchange rate is left after it.
    """
    base = ranking.source.goods[ranking.source.pool, ranking.source.base]
    gaps = np.unique(np.abs(np.diff(base)))
    for threshold in islice(np.concatenate([[0.0], gaps[gaps > 0][:-1]]), most):
        other = dynascore_of(_by(ranking.source, epsilon=Epsilon(EpsilonMode.ABSOLUTE, float(threshold))))
        yield float(threshold), _variation(ranking, other, _watched(ranking))


def _by(source: Goods, slope: Slope | None = None, epsilon: Epsilon | None = None) -> Goods:
    method = source.method
    return replace(source, method=replace(method, slope=slope or method.slope, epsilon=epsilon or method.epsilon))


def _watched(ranking: Ranking) -> IntArray:
    rows = ranking.order[ranking.ranks[ranking.order] > 0]
    return np.asarray(rows[:MOST_WATCHED])


def _variation(ranking: Ranking, other: Ranking, rows: IntArray) -> Variation:
    swapped = _above(ranking.scores[rows]) & _above(-other.scores[rows])
    moved = tuple((int(rows[above]), int(rows[below])) for above, below in np.argwhere(swapped))
    return Variation(rates_of(other), other.scale.kept_pairs or 0, moved)


def _above(scores: FloatArray) -> BoolArray:
    return np.asarray(scores[:, None] > scores[None, :])


def greatest_change(rates: FloatArray, others: FloatArray) -> float:
    """By how much the AMRS that changes most does, as a factor of at least 1; infinite where one comes or goes."""
    if (np.isnan(rates) != np.isnan(others)).any():
        return float("inf")
    with np.errstate(all="ignore"):
        factors = np.exp(np.abs(np.log(others / rates)))
    return float(np.nanmax(factors, initial=1.0))
