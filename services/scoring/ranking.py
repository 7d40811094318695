"""The place of every model under a method, with everything that made the number."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dynaboard.errors import Invalid
from services.scoring.board import Board, BoolArray, FloatArray, IntArray
from services.scoring.goods import as_goods, missing, over_datasets
from services.scoring.method import Method
from services.scoring.weights import completed, metric_defaults, owners_defaults, redistributed

NO_VALUE = "No model has a value yet."
OUT_OF_RANGE = "Its values are beyond the range in which they can be compared."


@dataclass(frozen=True, eq=False)
class Goods:
    """A board once datasets are averaged and every metric means "more is better", before metrics are compared.

    `values` (raw) and `goods` have the shape models × metrics. `pool` holds the rows of the models that have every
    metric anybody has, best base metric first, ties by id: only they decide how metrics compare, whatever the weights.
    """

    board: Board
    method: Method
    values: FloatArray
    goods: FloatArray
    base: int
    dataset_weights: FloatArray
    weights: FloatArray
    default_weights: FloatArray
    pool: IntArray

    @classmethod
    def of(cls, board: Board, method: Method) -> "Goods":
        """Check the method against the board. Raises Invalid for unknown names and weights that cannot be."""
        if method.base not in board.metrics:
            raise Invalid(f"The base metric must be one of {', '.join(board.metrics)}, not '{method.base}'.")
        papers = metric_defaults(board.metrics, method.base)
        defaults = owners_defaults(papers, method.metric_defaults)
        of_datasets = owners_defaults(dict.fromkeys(board.datasets, 1.0), method.dataset_defaults)
        dataset_weights = completed("dataset", method.dataset_weights, of_datasets)
        values = over_datasets(board, dataset_weights)
        goods = as_goods(values, board.metrics, method.budgets)
        base = board.metrics.index(method.base)
        known = ~np.isnan(goods).all(axis=0) | (np.arange(len(board.metrics)) == base)
        rows = np.flatnonzero(~np.isnan(goods[:, known]).any(axis=1))
        pool = rows[np.lexsort((board.id_rank[rows], -goods[rows, base]))]
        return cls(
            board,
            method,
            values,
            goods,
            base,
            dataset_weights,
            completed("metric", method.weights, defaults),
            completed("metric", {}, papers),
            pool,
        )

    @property
    def task_weights(self) -> dict[str, float]:
        """The weights of the metrics, not normalised, unless a viewer chooses others."""
        return owners_defaults(metric_defaults(self.board.metrics, self.method.base), self.method.metric_defaults)

    @property
    def task_dataset_weights(self) -> dict[str, float]:
        """The same of the datasets."""
        return owners_defaults(dict.fromkeys(self.board.datasets, 1.0), self.method.dataset_defaults)

    @property
    def known(self) -> BoolArray:
        """Which metrics any model has, shape (metrics,)."""
        return np.asarray(~np.isnan(self.goods).all(axis=0))

    @property
    def complete_for_viewer(self) -> BoolArray:
        """Which models have the base metric and every metric with weight that anybody has, shape (models,)."""
        asked = self.known & (self.weights > 0)
        asked[self.base] = True
        return np.asarray(~np.isnan(self.goods[:, asked]).any(axis=1))


@dataclass(frozen=True)
class Scale:
    """How goods become comparable: (good - offset) / unit for each metric; a metric left out has its reason.

    For the Dynascore the units are the AMRS; for z-scores offset and unit are mean and standard deviation.
    `kept_pairs` counts the neighbours that made the AMRS, `threshold` is the least base difference that counted.
    """

    offsets: FloatArray
    units: FloatArray
    excluded: Mapping[str, str]
    kept_pairs: int | None = None
    threshold: float | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """Scores and places. Rows are models as in `board`; metrics and datasets in the board's order.

    `scores` is NaN and `ranks` 0 for a model that cannot be ranked yet; equal scores share a rank. `order` lists the
    rows as shown: best first, ties by base metric and id, the unranked last. `weights` are those that counted:
    normalised, with those of excluded metrics handed on. `exchange_rates` is (w/z)·AMRS (paper, section 5.3), None
    where z is 0.
    """

    source: Goods
    scale: Scale
    weights: FloatArray
    scores: FloatArray
    ranks: IntArray
    order: IntArray
    exchange_rates: tuple[float | None, ...]

    @property
    def board(self) -> Board:
        """The board that was ranked."""
        return self.source.board

    def missing(self, row: int) -> tuple[tuple[str, str], ...]:
        """The (dataset, metric) pairs the model in this row lacks."""
        return missing(self.board, row, self.source.dataset_weights)


def rank(source: Goods, scale: Scale) -> Ranking:
    """Score every model that has all the viewer asks for; the rest stay unranked.

    Where only excluded metrics have weight, every model scores 0 and they tie.
    """
    board, excluded = source.board, dict(scale.excluded)
    with np.errstate(all="ignore"):
        terms = (source.goods - scale.offsets) / scale.units
    for column in np.flatnonzero((np.isinf(terms) | (np.isnan(terms) & ~np.isnan(source.goods))).any(axis=0)):
        excluded.setdefault(board.metrics[column], OUT_OF_RANGE)
    kept = np.array([metric not in excluded for metric in board.metrics], dtype=bool)
    weights = redistributed(source.weights, kept)
    scores = np.where(source.complete_for_viewer, 0.0, np.nan)
    for column in np.flatnonzero(weights):
        scores = scores + weights[column] * terms[:, column]
    order = np.lexsort((board.id_rank, -source.goods[:, source.base], -scores))
    in_order = {metric: excluded[metric] for metric in board.metrics if metric in excluded}
    return Ranking(
        source,
        Scale(scale.offsets, scale.units, in_order, scale.kept_pairs, scale.threshold),
        weights,
        scores,
        places(scores, order),
        order,
        exchange_rates(redistributed(source.default_weights, kept), weights, np.where(kept, scale.units, np.nan)),
    )


def places(scores: FloatArray, order: IntArray) -> IntArray:
    """1 for the best; equal scores share the better place; 0 for NaN. `order` sorts the scores, NaN last."""
    ordered = scores[order]
    fresh = np.ones(len(ordered), dtype=bool)
    fresh[1:] = ordered[1:] != ordered[:-1]
    ranks = np.zeros(len(ordered), dtype=np.int64)
    ranks[order] = np.maximum.accumulate(np.where(fresh, np.arange(1, len(ordered) + 1), 0))
    return np.where(np.isnan(scores), 0, ranks)


def exchange_rates(default: FloatArray, weights: FloatArray, units: FloatArray) -> tuple[float | None, ...]:
    """What one point of the base metric costs by a viewer's own weights: (w / z) · AMRS; None for z = 0 or no AMRS."""
    with np.errstate(all="ignore"):
        rates = default / weights * units
    return tuple(float(rate) if np.isfinite(rate) else None for rate in rates)
