"""The Pareto front: models that no other model beats in one metric without losing in another. Pure."""

import numpy as np

from services.scoring.board import BoolArray, FloatArray
from services.scoring.ranking import Ranking


def pareto_front(goods: FloatArray) -> BoolArray:
    """Which rows are on the front; more is better in every column, equal rows are both on it. Shape models × metrics.

    Whoever dominates a row comes before it in lexicographic order and is, or is dominated by, one already on the front.
    """
    member = np.zeros(len(goods), dtype=bool)
    front = np.empty((0, goods.shape[1]))
    for row in np.lexsort(-goods.T[::-1]):
        candidate = goods[row]
        beaten = (front >= candidate).all(axis=1) & (front > candidate).any(axis=1)
        if not beaten.any():
            member[row] = True
            front = np.vstack([front, candidate])
    return member


def on_front(ranking: Ranking) -> BoolArray:
    """Which models are on the front of the metrics that have weight; never one without rank. Shape (models,)."""
    rows = np.flatnonzero(ranking.ranks > 0)
    counted = np.flatnonzero(ranking.weights > 0)
    member = np.zeros(len(ranking.ranks), dtype=bool)
    if len(counted):
        member[rows] = pareto_front(ranking.source.goods[np.ix_(rows, counted)])
    return member
