"""Two boards explained: each score's change as terms that sum to it, one for each thing that changed. Pure.

One thing after the other is replaced, in the order of CAUSES, and a term is what the score moves by; so a term depends
on the order, which is part of the answer, and the sum does not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from services.scoring.board import Board, FloatArray, IntArray
from services.scoring.method import Method
from services.scoring.ranking import Goods, Ranking, Scale
from services.scoring.weights import redistributed

CAUSES = (
    "own results",
    "datasets",
    "memory budget",
    "exchange rates by models that left",
    "exchange rates by new results",
    "exchange rates by models that joined",
    "base metric and epsilon",
    "weights",
    "metrics left out",
)


@dataclass(frozen=True, eq=False)
class Side:
    """One of the two boards, ranked; `digests` tells for each dataset which version it is."""

    ranking: Ranking
    digests: Mapping[str, str]

    @property
    def board(self) -> Board:
        """The board that was ranked."""
        return self.ranking.board

    @property
    def method(self) -> Method:
        """How it was ranked."""
        return self.ranking.source.method


@dataclass(frozen=True, eq=False)
class Difference:
    """The models ranked on both boards, by their rows on each, with a term for each cause: models × causes."""

    before_rows: IntArray
    after_rows: IntArray
    terms: FloatArray


@dataclass(frozen=True)
class _Point:
    """What scores are made of somewhere between the two boards; shapes models × metrics and (metrics,)."""

    goods: FloatArray
    offsets: FloatArray
    units: FloatArray
    weights: FloatArray

    def scores(self) -> FloatArray:
        used = np.flatnonzero(self.weights)
        with np.errstate(all="ignore"):
            terms = (self.goods[:, used] - self.offsets[used]) / self.units[used]
        return np.asarray(terms @ self.weights[used])

    def with_goods(self, goods: FloatArray) -> "_Point":
        """Other goods; where there are none, as they were: such a metric is left out by a later step."""
        return replace(self, goods=np.where(np.isnan(goods), self.goods, goods))

    def with_scale(self, scale: Scale) -> "_Point":
        """Another scale, for the metrics that have one."""
        usable = np.isfinite(scale.units)
        return replace(
            self,
            offsets=np.where(usable, scale.offsets, self.offsets),
            units=np.where(usable, scale.units, self.units),
        )


def difference(before: Side, after: Side, aggregation: Callable[[Board, Method], Ranking]) -> Difference:
    """Explain the change of every score; `aggregation` ranked both boards."""
    shared = sorted(_ranked(before.ranking).keys() & _ranked(after.ranking).keys())
    rows = [np.array([_ranked(side.ranking)[model] for model in shared], dtype=np.int64) for side in (before, after)]
    points = _path(before, after, rows[0], rows[1], aggregation)
    scores = [point.scores() for point in points]
    terms = np.array([there - here for here, there in pairwise(scores)]).T.reshape(len(shared), len(CAUSES))
    return Difference(rows[0], rows[1], terms)


def _ranked(ranking: Ranking) -> dict[str, int]:
    return {ranking.board.models[row]: int(row) for row in np.flatnonzero(ranking.ranks)}


def _path(
    before: Side, after: Side, rows: IntArray, after_rows: IntArray, aggregation: Callable[[Board, Method], Ranking]
) -> list[_Point]:
    """The points from one board to the other, one more than there are causes."""
    source, scale = before.ranking.source, before.ranking.scale
    points = [_Point(source.goods[rows], scale.offsets, scale.units, before.ranking.weights)]
    for goods in _goods_on_the_way(before, after, rows, after_rows):
        points.append(points[-1].with_goods(goods))
    for step in (*_scales_on_the_way(before, after, aggregation), after.ranking.scale):
        points.append(points[-1].with_scale(step))
    kept = np.array([metric not in before.ranking.scale.excluded for metric in before.board.metrics], dtype=bool)
    points.append(replace(points[-1], weights=redistributed(after.ranking.source.weights, kept)))
    return [*points, replace(points[-1], weights=after.ranking.weights)]


def _goods_on_the_way(before: Side, after: Side, rows: IntArray, after_rows: IntArray) -> list[FloatArray]:
    """With new results on the old datasets, then with the new datasets, then with the new budget."""
    values = np.array(before.board.values)
    for column, name in enumerate(before.board.datasets):
        if after.digests.get(name) == before.digests[name]:
            fresh = after.board.values[after_rows, after.board.datasets.index(name)]
            values[rows, column] = np.where(np.isnan(fresh), values[rows, column], fresh)
    renewed = Goods.of(replace(before.board, values=values), before.method)
    old_budget = Goods.of(after.board, replace(after.method, budgets=before.method.budgets))
    return [renewed.goods[rows], old_budget.goods[after_rows], after.ranking.source.goods[after_rows]]


def _scales_on_the_way(
    before: Side, after: Side, aggregation: Callable[[Board, Method], Ranking]
) -> tuple[Scale, Scale, Scale]:
    """Without the models that left, then with the new results of those that stayed, then with those that joined."""
    stayed = set(before.board.models) & set(after.board.models)
    old = before.method
    method = replace(after.method, weights={}, base=old.base, epsilon=old.epsilon, slope=old.slope)
    return (
        aggregation(_of_models(before.board, stayed), replace(old, weights={})).scale,
        aggregation(_of_models(after.board, stayed), method).scale,
        aggregation(after.board, method).scale,
    )


def _of_models(board: Board, models: set[str]) -> Board:
    rows = [row for row, model in enumerate(board.models) if model in models]
    return replace(board, models=tuple(board.models[row] for row in rows), values=board.values[rows])


def words(name: str, before: float, after: float, terms: Sequence[float], details: Mapping[str, str]) -> str:
    """A model's change in one sentence, the greatest terms first; `details` says more of a cause."""
    change = after - before
    if abs(change) < HALF_SHOWN and all(abs(term) < HALF_SHOWN for term in terms):
        return f"{name} stays at {after:.2f}."
    named = sorted(zip(CAUSES, terms, strict=True), key=lambda item: -abs(item[1]))
    parts = [
        f"{cause} {term:+.2f}" + (f" ({details[cause]})" if details.get(cause) else "")
        for cause, term in named
        if abs(term) >= HALF_SHOWN
    ]
    return f"{name} moves from {before:.2f} to {after:.2f} ({change:+.2f}): {', '.join(parts) or 'rounding'}."


HALF_SHOWN = 0.005
