"""The weighted mean of z-scores: the alternative the paper's Table 2 shows beside the Dynascore."""

import numpy as np

from services.scoring.amrs import steps_between
from services.scoring.board import Board
from services.scoring.method import PAPER_METHOD, Method
from services.scoring.ranking import NO_VALUE, Goods, Ranking, Scale, rank

CONSTANT = "Every model has the same value."


def zscore(board: Board, method: Method = PAPER_METHOD) -> Ranking:
    """Rank by the sum of w_M · (M - mean) / sd, with the same weights and goods as the Dynascore.

    Mean and population standard deviation are over the models that have every metric. A metric in which these are all
    equal is left out. Raises Invalid for names and weights that cannot be.
    """
    source = Goods.of(board, method)
    pool = source.goods[source.pool]
    if not len(pool):
        pool = np.zeros((1, len(board.metrics)))
    with np.errstate(all="ignore"):
        means, deviations = pool.mean(axis=0), pool.std(axis=0)
    constant = (steps_between(pool[:1], pool) == 0).all(axis=0)
    excluded = {
        metric: CONSTANT if has_value else NO_VALUE
        for metric, same, has_value in zip(board.metrics, constant, source.known, strict=True)
        if same or not has_value
    }
    usable = np.isfinite(deviations) & (deviations > 0) & ~constant
    return rank(source, Scale(np.where(usable, means, 0.0), np.where(usable, deviations, np.nan), excluded))
