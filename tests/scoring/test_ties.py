"""Which models are told apart: pairs at once, rank intervals, tie groups, and the table of pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest, false_discovery_control, norm, studentized_range

from services.scoring.board import Board, FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.intervals import resampled_sums
from services.scoring.pairwise import pairs, probabilities
from services.scoring.ties import MOST_RESAMPLED, Differences, differences, rank_intervals, tie_groups
from services.scoring.uncertainty import Resamples, Uncertainty, uncertainty


def normal(models: int, replicates: int = 20_000, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(models, replicates)).astype(np.float32)


def compared(scores: list[float], deviation: float = 1.0) -> Differences:
    return differences(np.array(scores), deviation * normal(len(scores), 2_000))


def one_metric(values: list[float], deviations: FloatArray) -> Uncertainty:
    names = tuple(f"m{number}" for number in range(len(values)))
    board = Board(names, ("all",), ("performance",), np.array(values).reshape(-1, 1, 1))
    return uncertainty(dynascore(board), Resamples(deviations[None, None].astype(np.float32)))


def test_critical_value_of_independent_models_is_that_of_tukeys_range() -> None:
    found = differences(np.zeros(6), normal(6))
    assert found.critical == pytest.approx(studentized_range.ppf(0.95, 6, np.inf) / np.sqrt(2), abs=0.04)


def test_many_models_are_compared_by_bonferroni_a_little_wider() -> None:
    found = differences(np.zeros(MOST_RESAMPLED + 1), normal(MOST_RESAMPLED + 1, 50))
    assert (found.method, found.greatest) == ("bonferroni", None)
    assert found.critical > studentized_range.ppf(0.95, MOST_RESAMPLED + 1, np.inf) / np.sqrt(2)


def test_equal_deviations_cancel_so_shared_luck_does_not_hide_a_difference() -> None:
    luck = normal(1, 2_000)
    found = differences(np.array([2.0, 1.9]), 5 * luck + 0.01 * normal(2, 2_000, seed=1))
    assert found.different[0, 1]


def test_models_without_any_spread_differ_if_their_scores_do() -> None:
    found = differences(np.array([2.0, 1.0, 1.0]), np.zeros((3, 100), dtype=np.float32))
    assert found.different.tolist() == [[False, True, True], [True, False, False], [True, False, False]]


def test_clear_gaps_give_single_ranks_and_near_ones_give_ranges() -> None:
    assert rank_intervals(compared([20, 10, 0])).tolist() == [[1, 1], [2, 2], [3, 3]]
    assert rank_intervals(compared([20, 10, 9.5])).tolist() == [[1, 1], [2, 3], [2, 3]]


def test_a_tie_group_begins_with_the_first_model_told_apart_from_the_best_of_the_last_one() -> None:
    # Neighbours are never told apart, models two apart always are.
    found = compared([9, 6, 3, 0])
    assert found.different[0].tolist() == [False, False, True, True]
    assert tie_groups(found).tolist() == [1, 1, 2, 2]


def test_a_board_of_one_or_of_nobody_has_ranks_too() -> None:
    assert rank_intervals(compared([1.0])).tolist() == [[1, 1]]
    assert rank_intervals(compared([])).tolist() == []
    assert tie_groups(compared([])).tolist() == []


@given(arrays(np.float64, st.integers(1, 7), elements=st.floats(-5, 5)))
def test_every_rank_lies_in_its_interval_and_groups_count_up(scores: FloatArray) -> None:
    ordered = np.sort(scores)[::-1]
    found = differences(ordered, normal(len(ordered), 200))
    low, high = rank_intervals(found).T
    places = np.arange(1, len(ordered) + 1)
    assert (low <= places).all()
    assert (places <= high).all()
    assert set(np.diff(tie_groups(found))) <= {0, 1}


def test_max_t_calls_pairs_different_exactly_as_the_tie_groups_do() -> None:
    found = one_metric([9.0, 6.5, 6.0, 1.0, 0.5], normal(5, 1_000))
    table = pairs(found, "max-t")
    different = found.differences.different[np.triu_indices(5, 1)]
    assert ((table.adjusted < 0.05) == different).all()


def test_corrections_are_scipys() -> None:
    found = one_metric([9.0, 6.5, 6.0, 1.0], normal(4, 1_000))
    alone = pairs(found, "none")
    np.testing.assert_allclose(pairs(found, "bh").adjusted, false_discovery_control(alone.p, method="bh"))
    np.testing.assert_allclose(pairs(found, "by").adjusted, false_discovery_control(alone.p, method="by"))
    assert (pairs(found, "max-t").adjusted >= alone.p - 0.01).all()


def test_a_pair_on_one_dataset_has_the_p_value_of_mcnemars_test() -> None:
    draw = np.random.default_rng(3)
    first = draw.random(2_000) < 0.8
    second = np.where(draw.random(2_000) < 0.06, ~first, first)
    right = np.column_stack([first, second]).astype(np.float64)
    accuracy = 100 * right.mean(axis=0)
    replicates = 100 * resampled_sums(right, 1) / len(right) - accuracy
    table = pairs(one_metric(accuracy.tolist(), replicates.T), "none")
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    exact = binomtest(only_first, only_first + only_second).pvalue
    assert table.p[0] == pytest.approx(exact, abs=0.03)


def test_probability_is_that_of_two_normal_scores_and_half_for_equal_models() -> None:
    found = one_metric([1.0, 0.0, 0.0], np.vstack([normal(1), normal(1, seed=1), normal(1, seed=1)]))
    share = probabilities(found)
    assert share[0, 1] == pytest.approx(norm.cdf(1 / np.sqrt(2)), abs=0.02)
    assert share[1, 2] == share[2, 1] == 0.5
    np.testing.assert_allclose(share + share.T, 1)


def test_a_table_of_one_model_is_empty() -> None:
    for correction in ("max-t", "bh", "by", "none"):
        assert len(pairs(one_metric([1.0], normal(1, 100)), correction).p) == 0
