"""Which weights put which model first: exact, as scores are linear in the weights once exchange rates are fixed. Pure.

Weights are a point of the simplex over the metrics that count; each model's region in it is a polytope.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from services.scoring.board import BoolArray, FloatArray, IntArray
from services.scoring.ranking import Ranking

SAME = 1e-9  # of a polygon's side, below which points are one
CORNERS: FloatArray = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


@dataclass(frozen=True, eq=False)
class WeightMap:
    """The models of the pool, with `terms` per unit of weight (models × metrics); only metrics that count.

    `rows` and `metrics` index the ranking's; `weights` are the viewer's, sum 1.
    """

    rows: IntArray
    metrics: IntArray
    terms: FloatArray
    weights: FloatArray

    @classmethod
    def of(cls, ranking: Ranking) -> "WeightMap":
        """Of the models that have every metric, at the ranking's exchange rates."""
        kept = [metric not in ranking.scale.excluded for metric in ranking.board.metrics]
        metrics, rows = np.flatnonzero(kept), np.sort(ranking.source.pool)
        scale = ranking.scale
        goods = ranking.source.goods[np.ix_(rows, metrics)]
        terms = (goods - scale.offsets[metrics]) / scale.units[metrics]
        # The weights sum to 1, so what all models have of a metric lifts them alike and decides nothing.
        return cls(rows, metrics, terms - terms[:1], ranking.weights[metrics])


def nearest_weights(found: WeightMap, model: int) -> FloatArray | None:
    """The weights nearest the viewer's that put a model (its place in `rows`) first, alone or with equals.

    Nearest: the least weight moved from one metric to another, ½·Σ|change|. A linear program (SciPy's HiGHS); None
    where no weights do. Shape (metrics,).
    """
    count = found.terms.shape[1]
    behind = np.delete(found.terms, model, axis=0) - found.terms[model]
    size = np.abs(behind).max(axis=1, keepdims=True, initial=0.0)
    behind = (behind / np.where(size > 0, size, 1.0))[size[:, 0] > 0]
    # Variables: weights, and the size of each one's change.
    eye, none = np.eye(count), np.zeros((len(behind), count))
    solved = linprog(
        np.concatenate([np.zeros(count), np.full(count, 0.5)]),
        A_ub=np.vstack([np.hstack([behind, none]), np.hstack([eye, -eye]), np.hstack([-eye, -eye])]),
        b_ub=np.concatenate([np.zeros(len(behind)), found.weights, -found.weights]),
        A_eq=np.concatenate([np.ones(count), np.zeros(count)])[None],
        b_eq=[1.0],
        bounds=(0, None),
    )
    if solved.status != 0:
        return None
    weights = np.clip(solved.x[:count], 0.0, 1.0)
    return np.asarray(weights / weights.sum())


def plane(found: WeightMap, first: int, second: int) -> FloatArray:
    """Scores of all models over two metrics' weights (a, b), as a·x + b·y + c: shape models × 3.

    `first` and `second` are places in `metrics`; what the two leave, the others share as they do now.
    """
    others = found.weights.copy()
    others[[first, second]] = 0.0
    if others.sum() > 0:
        others /= others.sum()
    rest = found.terms @ others
    return np.column_stack([found.terms[:, first] - rest, found.terms[:, second] - rest, rest])


def regions(scores: FloatArray) -> list[FloatArray]:
    """Where in the triangle a, b ≥ 0, a + b ≤ 1 each model is first: a convex polygon, points × 2, maybe empty.

    `scores` as `plane` gives them. The triangle is cut by one line for each other model.
    """
    found = []
    for model, own in enumerate(scores):
        polygon = CORNERS
        for line in own - np.delete(scores, model, axis=0):
            polygon = _cut(polygon, line)
            if len(polygon) < 3:
                polygon = np.empty((0, 2))
                break
        found.append(polygon)
    return found


def _cut(polygon: FloatArray, line: FloatArray) -> FloatArray:
    """What of a convex polygon lies where line · (x, y, 1) ≥ 0 (Sutherland & Hodgman 1974)."""
    sides = polygon @ line[:2] + line[2]
    inside: BoolArray = sides >= -1e-12 * max(np.abs(line).max(), 1e-300)
    if inside.all():
        return polygon
    points = []
    for place in range(len(polygon)):
        following = (place + 1) % len(polygon)
        if inside[place]:
            points.append(polygon[place])
        if inside[place] != inside[following]:
            share = sides[place] / (sides[place] - sides[following])
            points.append(polygon[place] + share * (polygon[following] - polygon[place]))
    return _without_doubles(np.array(points).reshape(-1, 2))


def _without_doubles(polygon: FloatArray) -> FloatArray:
    if len(polygon) < 2:
        return polygon
    apart = np.abs(polygon - np.roll(polygon, 1, axis=0)).max(axis=1) > SAME
    return np.asarray(polygon[apart])
