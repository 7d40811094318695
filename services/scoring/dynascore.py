"""The Dynascore: every metric in units of performance, weighted (paper, equation 2)."""

import numpy as np

from services.scoring.amrs import amrs, kept_pairs
from services.scoring.board import Board, FloatArray
from services.scoring.method import PAPER_METHOD, Method
from services.scoring.ranking import NO_VALUE, Goods, Ranking, Scale, rank


def dynascore(board: Board, method: Method = PAPER_METHOD) -> Ranking:
    """Rank the board by the sum of w_M · M / AMRS(M).

    The AMRS comes from the models that have every metric, so it depends on the dataset weights, never on the metrics'.
    Raises Invalid for names and weights that cannot be.
    """
    return dynascore_of(Goods.of(board, method))


def dynascore_of(source: Goods) -> Ranking:
    """The same of goods with any pool: leave a model out of it, and see what the exchange rates owe to it."""
    method = source.method
    pool = source.goods[source.pool]
    threshold = method.epsilon.threshold(pool[:, source.base])
    kept = kept_pairs(pool[:, source.base], threshold)
    rates = amrs(pool, source.base, kept, method.slope)
    excluded = _excluded(source, rates, int(kept.sum()), threshold)
    units = np.where(rates > 0, rates, np.nan)
    return rank(source, Scale(np.zeros(len(rates)), units, excluded, int(kept.sum()), threshold))


def _excluded(source: Goods, rates: FloatArray, kept: int, threshold: float) -> dict[str, str]:
    if len(source.pool) < 2:
        unknown_rate = "Fewer than two models have every metric, so nothing says what a point of it is worth."
    elif kept == 0:
        unknown_rate = f"No two neighbouring models differ in {source.method.base} by more than {threshold:.6g}."
    else:
        unknown_rate = f"It does not change between neighbouring models that differ in {source.method.base}."
    reasons = {}
    for metric, rate, has_value in zip(source.board.metrics, rates, source.known, strict=True):
        if not has_value:
            reasons[metric] = NO_VALUE
        elif rate <= 0:
            reasons[metric] = unknown_rate
    return reasons
