"""The mean rank: the weighted mean of a model's places in each metric, 1 the best. Pure."""

import numpy as np
from scipy.stats import rankdata

from services.scoring.board import FloatArray
from services.scoring.ranking import Ranking


def mean_ranks(ranking: Ranking) -> FloatArray:
    """Under the ranking's weights, among its ranked models; equal values share their mean place. NaN for the unranked.

    It needs no exchange rates: only the order within each metric counts, however close or far apart the values are.
    """
    rows = np.flatnonzero(ranking.ranks > 0)
    counted = np.flatnonzero(ranking.weights > 0)
    result = np.full(len(ranking.ranks), np.nan)
    if len(rows) and len(counted):
        places = rankdata(-ranking.source.goods[np.ix_(rows, counted)], method="average", axis=0)
        result[rows] = places @ ranking.weights[counted]
    return result
