"""From raw results to goods: one value per model and metric, of which more is better (paper, section 5.1)."""

from collections.abc import Mapping

import numpy as np

from services.scoring.board import Board, FloatArray


def over_datasets(board: Board, weights: FloatArray) -> FloatArray:
    """The weighted mean over datasets, shape models × metrics; NaN where a dataset that counts has no result.

    `weights`, shape (datasets,), sum to 1. A dataset of weight 0 is left out, so a result missing there does no harm;
    so is one that a metric does not apply to, whose weight goes to the others in proportion.
    """
    mean = np.full((len(board.models), len(board.metrics)), np.nan, order="F")
    for column, shares in enumerate(dataset_shares(board, weights).T):
        for position, index in enumerate(np.flatnonzero(shares)):
            term = board.values[:, index, column] * shares[index]
            mean[:, column] = term if position == 0 else mean[:, column] + term
    return mean


def dataset_shares(board: Board, weights: FloatArray) -> FloatArray:
    """The weight of each dataset for each metric, shape datasets × metrics."""
    shares = np.where(board.applies, weights[:, np.newaxis], 0.0)
    total = shares.sum(axis=0)
    partly = ~board.applies.all(axis=0) & (total > 0)
    shares[:, partly] /= total[partly]
    return shares


def as_goods(values: FloatArray, metrics: tuple[str, ...], budgets: Mapping[str, float]) -> FloatArray:
    """Raw values, shape models × metrics, with `budget - used` for each metric that has a budget; a copy."""
    goods = values.copy(order="K")
    for column, metric in enumerate(metrics):
        if metric in budgets:
            goods[:, column] = budgets[metric] - values[:, column]
    return goods


def missing(board: Board, model: int, weights: FloatArray) -> tuple[tuple[str, str], ...]:
    """The (dataset, metric) pairs that model (its row) still lacks, among datasets that count and metrics anybody has.

    `weights`, shape (datasets,), are the dataset weights.
    """
    counted = np.flatnonzero(weights)
    known = board.measured[counted].any(axis=0)
    return tuple(
        (board.datasets[dataset], board.metrics[metric])
        for dataset in counted
        for metric in np.flatnonzero(known & board.applies[dataset] & np.isnan(board.values[model, dataset]))
    )
