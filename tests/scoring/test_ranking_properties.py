"""What holds on every board, however degenerate."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from services.scoring.board import Board
from services.scoring.dynascore import dynascore
from services.scoring.method import Method
from services.scoring.ranking import Ranking
from services.scoring.zscore import zscore
from tests.scoring.boards import METRICS, boards

Aggregation = Callable[[Board, Method], Ranking]
aggregations = pytest.mark.parametrize("aggregation", [dynascore, zscore])
METHOD = Method(budgets={"memory": 32.0})


def _same(left: Ranking, right: Ranking, rows: list[int]) -> None:
    np.testing.assert_array_equal(left.scores[rows], right.scores)
    np.testing.assert_array_equal(left.ranks[rows], right.ranks)


@aggregations
@given(board=boards(), data=st.data())
def test_the_order_of_the_models_does_not_matter(aggregation: Aggregation, board: Board, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(len(board.models))))
    shuffled = Board(tuple(board.models[row] for row in rows), board.datasets, board.metrics, board.values[rows])
    _same(aggregation(board, METHOD), aggregation(shuffled, METHOD), rows)


@aggregations
@given(board=boards(st.integers(0, 9).map(float)), factor=st.floats(1e-6, 1e6), data=st.data())
def test_only_the_proportion_of_the_weights_matters(
    aggregation: Aggregation, board: Board, factor: float, data: st.DataObject
) -> None:
    weights = {metric: data.draw(st.integers(1, 5)) for metric in board.metrics}
    one = aggregation(board, Method(weights=weights))
    other = aggregation(board, Method(weights={metric: weight * factor for metric, weight in weights.items()}))
    np.testing.assert_allclose(one.scores, other.scores, rtol=1e-9, atol=1e-9)


@aggregations
@given(board=boards(st.one_of(st.floats(allow_infinity=False), st.sampled_from([0.0, 5e-324, 1e308, -1e308]))))
def test_a_ranked_model_has_a_finite_score_and_an_unranked_one_none(aggregation: Aggregation, board: Board) -> None:
    ranking = aggregation(board, METHOD)
    assert np.isfinite(ranking.scores[ranking.ranks > 0]).all()
    assert np.isnan(ranking.scores[ranking.ranks == 0]).all()
    assert np.isfinite(ranking.weights).all()
    assert all(rate is None or np.isfinite(rate) for rate in ranking.exchange_rates)


@aggregations
@given(board=boards())
def test_ranks_follow_scores_and_order_lists_every_model_once(aggregation: Aggregation, board: Board) -> None:
    ranking = aggregation(board, METHOD)
    assert sorted(ranking.order) == list(range(len(board.models)))
    ranked = ranking.order[ranking.ranks[ranking.order] > 0]
    assert (np.diff(ranking.scores[ranked]) <= 0).all()
    for row in ranked:
        assert ranking.ranks[row] == 1 + (ranking.scores[ranked] > ranking.scores[row]).sum()


@aggregations
@given(board=boards())
def test_weights_sum_to_1_unless_every_metric_with_weight_is_left_out(aggregation: Aggregation, board: Board) -> None:
    ranking = aggregation(board, METHOD)
    assert (ranking.weights[[metric in ranking.scale.excluded for metric in board.metrics]] == 0).all()
    assert ranking.weights.sum() == pytest.approx(0 if len(ranking.scale.excluded) == len(board.metrics) else 1)


@aggregations
@given(board=boards())
def test_the_same_board_gives_the_same_bytes(aggregation: Aggregation, board: Board) -> None:
    assert aggregation(board, METHOD).scores.tobytes() == aggregation(board, METHOD).scores.tobytes()


@given(board=boards(st.integers(0, 9).map(float)), data=st.data())
def test_an_exact_copy_of_a_model_moves_nobody(board: Board, data: st.DataObject) -> None:
    assume(board.models and len(set(dynascore(board, METHOD).source.goods[:, 0])) == len(board.models))
    row = data.draw(st.integers(0, len(board.models) - 1))
    copied = Board(
        (*board.models, board.models[row] + "'"),
        board.datasets,
        board.metrics,
        np.concatenate([board.values, board.values[[row]]]),
    )
    if len(board.models) > 1:
        np.testing.assert_allclose(dynascore(copied, METHOD).scores[:-1], dynascore(board, METHOD).scores, rtol=1e-12)


@given(board=boards(st.integers(0, 9).map(float)))
def test_a_newcomer_without_results_moves_nobody(board: Board) -> None:
    empty = np.full((1, *board.values.shape[1:]), np.nan)
    longer = Board((*board.models, "new"), board.datasets, board.metrics, np.concatenate([board.values, empty]))
    before, after = dynascore(board, METHOD), dynascore(longer, METHOD)
    np.testing.assert_array_equal(after.scores[:-1], before.scores)
    assert after.ranks[-1] == 0


@given(board=boards(st.integers(0, 9).map(float)))
def test_a_gain_in_performance_alone_helps_under_unmoved_exchange_rates(board: Board) -> None:
    ranking = dynascore(board, METHOD)
    share = ranking.weights[0]
    goods = ranking.source.goods.copy()
    goods[:, 0] += 1
    gained = np.nansum((goods / ranking.scale.units * ranking.weights)[:, ranking.weights > 0], axis=1)
    ranked = ranking.ranks > 0
    np.testing.assert_allclose(gained[ranked] - ranking.scores[ranked], share, atol=1e-9)


def test_metric_names_of_the_platform() -> None:
    assert METRICS[0] == Method().base
