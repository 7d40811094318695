"""A frozen leaderboard under other weights: ranked anew from the very numbers it holds. Pure."""

from dataclasses import replace

import numpy as np

from dynaboard.leaderboard_schemas import LeaderboardRow, LeaderboardView
from services.scoring.board import Board
from services.scoring.dynascore import dynascore
from services.scoring.method import Epsilon, EpsilonMode, Method, Slope
from services.scoring.query import METRIC_NAMES
from services.scoring.ranking import Ranking
from services.scoring.zscore import zscore

AGGREGATIONS = {"dynascore": dynascore, "zscore": zscore}


def frozen_board(view: LeaderboardView) -> Board:
    """The models × datasets × metrics of a whole frozen board, by model id."""
    names = tuple(view.dataset_weights)
    values = np.full((len(view.rows), len(names), len(METRIC_NAMES)), np.nan)
    for place, row in enumerate(view.rows):
        for of_set in row.datasets:
            if of_set.name in names:
                for metric, cell in of_set.cells.items():
                    values[place, names.index(of_set.name), METRIC_NAMES.index(metric)] = cell.value
    return Board(tuple(row.model_id for row in view.rows), names, METRIC_NAMES, values, _inapplicable(view))


def _inapplicable(view: LeaderboardView) -> frozenset[tuple[str, str]]:
    """A model that has the mean of a metric without a cell on a dataset that counts shows that it cannot have one."""
    return frozenset(
        (of_set.name, metric)
        for row in view.rows
        for of_set in row.datasets
        for metric in METRIC_NAMES
        if of_set.weight > 0 and metric not in of_set.cells and row.metrics.get(metric) is not None
    )


def frozen_method(view: LeaderboardView) -> Method:
    """How the board was ranked, but for the weights that its viewer had chosen: they are the task's."""
    return Method(
        metric_defaults=view.task_weights,
        dataset_defaults=view.task_dataset_weights,
        base=view.base_metric,
        budgets={"memory": view.memory_budget_gib},
        epsilon=Epsilon(EpsilonMode(view.epsilon["mode"]), view.epsilon["value"]),
        slope=Slope(view.amrs_method),
    )


def reweighted(view: LeaderboardView, method: Method) -> LeaderboardView:
    """The same models and results under the method's weights; all else of the method is the view's.

    Uncertainty is not part of it: it was that of other scores. Raises Invalid for weights that cannot be.
    """
    own = frozen_method(view)
    method = replace(own, weights=method.weights, dataset_weights=method.dataset_weights)
    ranking = AGGREGATIONS[view.aggregation](frozen_board(view), method)
    scale, units = ranking.scale, ranking.scale.units.tolist()
    is_dynascore = view.aggregation == "dynascore"
    rates = {m: unit if m not in scale.excluded else None for m, unit in zip(METRIC_NAMES, units, strict=True)}
    return view.model_copy(
        update={
            "rows": [_row(view, ranking, place) for place in ranking.order.tolist()],
            "sort": "score",
            "order": "descending",
            "weights": dict(zip(METRIC_NAMES, ranking.weights.tolist(), strict=True)),
            "dataset_weights": dict(zip(ranking.board.datasets, ranking.source.dataset_weights.tolist(), strict=True)),
            "amrs": rates if is_dynascore else {},
            "exchange_rates": dict(zip(METRIC_NAMES, ranking.exchange_rates, strict=True)) if is_dynascore else {},
            "kept_pairs": {m: scale.kept_pairs for m in rates if rates[m] is not None and m != view.base_metric}
            if scale.kept_pairs is not None
            else {},
            "excluded": dict(scale.excluded),
            "epsilon": view.epsilon | {"threshold": scale.threshold},
            "pool": sorted(view.rows[place].submission_id for place in ranking.source.pool.tolist()),
            "uncertainty": None,
            "explanations": [],
        }
    )


def _row(view: LeaderboardView, ranking: Ranking, place: int) -> LeaderboardRow:
    row, ranked = view.rows[place], bool(ranking.ranks[place] > 0)
    shares = dict(zip(ranking.board.datasets, ranking.source.dataset_weights.tolist(), strict=True))
    means = dict(zip(METRIC_NAMES, ranking.source.values[place].tolist(), strict=True))
    unsure = dict.fromkeys(("score_low", "score_high", "rank_low", "rank_high", "tie_group", "first", "pareto"))
    metrics = {
        metric: cell if cell is None or cell.value == means[metric] else cell.model_copy(
            update={"value": means[metric], "low": None, "high": None}
        )
        for metric, cell in row.metrics.items()
    }  # fmt: skip
    return row.model_copy(
        update=unsure
        | {
            "rank": int(ranking.ranks[place]) if ranked else None,
            "score": float(ranking.scores[place]) if ranked else None,
            "aggregations": {},
            "metrics": {metric: None if np.isnan(means[metric]) else cell for metric, cell in metrics.items()},
            "missing": [f"{metric} on {dataset}" for dataset, metric in ranking.missing(place)],
            "datasets": [of.model_copy(update={"weight": shares.get(of.name, 0.0)}) for of in row.datasets],
        }
    )
