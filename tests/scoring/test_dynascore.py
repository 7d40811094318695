"""The Dynascore on boards small enough to compute by hand, and on degenerate ones."""

import numpy as np
import pytest

from dynaboard.errors import Invalid
from services.scoring.board import Board
from services.scoring.dynascore import dynascore
from services.scoring.method import Epsilon, EpsilonMode, Method
from services.scoring.ranking import NO_VALUE
from services.scoring.zscore import zscore
from tests.scoring.boards import METRICS, board

GAP = float("nan")


def test_by_hand() -> None:
    ranking = dynascore(board([[80, 10], [70, 30], [50, 20]]))
    # |ΔM/Δperf| = 20/10 and 10/20, mean 1.25; weights 0.5 and 0.5
    assert ranking.scale.units[1] == 1.25
    assert ranking.scores == pytest.approx([0.5 * 80 + 0.5 * 10 / 1.25, 35 + 12, 25 + 8])
    assert ranking.ranks.tolist() == [2, 1, 3] if ranking.scores[1] > ranking.scores[0] else [1, 2, 3]


def test_memory_counts_as_what_is_left_of_the_budget() -> None:
    ranking = dynascore(board([[80, 12], [70, 2]], ("performance", "memory")), Method(budgets={"memory": 32}))
    assert ranking.source.goods[:, 1].tolist() == [20, 30]
    assert ranking.source.values[:, 1].tolist() == [12, 2]


def test_default_weights_are_a_half_and_the_rest_in_equal_parts() -> None:
    for metrics in (2, 3, 5):
        ranking = dynascore(board([[2.0] * metrics, [1.0] * metrics]))
        assert ranking.weights.tolist() == [0.5] + [0.5 / (metrics - 1)] * (metrics - 1)


def test_given_weights_go_over_the_default_sliders_of_four_and_ones() -> None:
    ranking = dynascore(board([[2.0] * 5, [1.0] * 5]), Method(weights={"robustness": 2}))
    assert ranking.weights == pytest.approx(np.array([4, 1, 1, 1, 2]) / 9)


def test_datasets_are_averaged_before_slopes_are_taken() -> None:
    cells = np.array([[[80, 10], [60, 20]], [[70, 30], [50, 60]]], dtype=float)
    two = Board(("a", "b"), ("x", "y"), METRICS[:2], cells)
    ranking = dynascore(two, Method(dataset_weights={"x": 3, "y": 1}))
    assert ranking.source.values.tolist() == [[75, 12.5], [65, 37.5]]
    assert ranking.scale.units[1] == 2.5


def test_a_dataset_of_weight_0_does_not_gate() -> None:
    cells = np.array([[[80, 1], [60, 2]], [[70, 3], [GAP, GAP]]], dtype=float)
    two = Board(("a", "b"), ("x", "y"), METRICS[:2], cells)
    assert dynascore(two).ranks.tolist() == [1, 0]
    assert dynascore(two, Method(dataset_weights={"y": 0})).ranks.all()


def test_incomplete_models_are_unranked_and_say_what_is_missing() -> None:
    cells = np.array([[[80, 5], [60, 6]], [[90, GAP], [GAP, GAP]], [[70, 2], [50, 2]]], dtype=float)
    ranking = dynascore(Board(("a", "b", "c"), ("x", "y"), METRICS[:2], cells))
    assert ranking.ranks.tolist() == [1, 0, 2]
    assert np.isnan(ranking.scores[1])
    assert ranking.missing(1) == (("x", "throughput"), ("y", "performance"), ("y", "throughput"))
    assert ranking.missing(0) == ()


def test_an_incomplete_model_does_not_move_the_exchange_rates() -> None:
    complete = [[80.0, 10.0], [70.0, 30.0]]
    assert (
        dynascore(board([*complete, [75, GAP]])).scale.units.tolist() == dynascore(board(complete)).scale.units.tolist()
    )


def test_a_model_without_cost_is_ranked_for_who_gives_cost_no_weight() -> None:
    ranking = dynascore(board([[80, 10], [70, 30], [90, GAP]]), Method(weights={"throughput": 0}))
    assert ranking.ranks.tolist() == [2, 3, 1]
    assert ranking.scale.units[1] == 2, "the pool of the AMRS does not depend on the metric weights"


def test_a_metric_nobody_has_is_left_out_and_its_weight_goes_to_the_others_in_proportion() -> None:
    ranking = dynascore(board([[80, 10, 1, GAP, GAP], [70, 30, 3, GAP, GAP]]))
    assert ranking.scale.excluded == {"fairness": NO_VALUE, "robustness": NO_VALUE}
    assert ranking.weights == pytest.approx([4 / 6, 1 / 6, 1 / 6, 0, 0])
    assert ranking.ranks.all()


def test_one_model_scores_its_performance() -> None:
    ranking = dynascore(board([[80, 10]]))
    assert ranking.scores.tolist() == [80]
    assert "Fewer than two models" in ranking.scale.excluded["throughput"]


def test_models_equal_in_performance_tie_and_share_the_rank() -> None:
    ranking = dynascore(board([[80, 10], [80, 30]]))
    assert ranking.scores.tolist() == [80, 80]
    assert ranking.ranks.tolist() == [1, 1]
    assert ranking.order.tolist() == [0, 1]
    assert ranking.scale.excluded["throughput"].startswith("No two neighbouring models differ in performance by more")


def test_a_constant_metric_is_left_out() -> None:
    ranking = dynascore(board([[80, 10, 7], [70, 30, 7]]))
    assert list(ranking.scale.excluded) == ["memory"]
    assert ranking.weights == pytest.approx([2 / 3, 1 / 3, 0])
    assert ranking.exchange_rates[2] is None


def test_a_metric_that_is_constant_but_for_rounding_is_left_out() -> None:
    cells = np.array([[[80, 0.1], [80, 0.2], [80, 0.3]], [[70, 0.3], [70, 0.2], [70, 0.1]]], dtype=float)
    same = Board(("a", "b"), ("x", "y", "z"), METRICS[:2], cells)
    assert len(set(dynascore(same).source.values[:, 1])) == 2, "the means differ in the last bit"
    assert list(dynascore(same).scale.excluded) == list(zscore(same).scale.excluded) == ["throughput"]
    assert dynascore(same).scores.tolist() == pytest.approx([80, 70])


def test_only_excluded_metrics_have_weight() -> None:
    ranking = dynascore(board([[80, 7], [70, 7]]), Method(weights={"performance": 0}))
    assert ranking.scores.tolist() == [0, 0]
    assert ranking.ranks.tolist() == [1, 1]


def test_empty_board() -> None:
    ranking = dynascore(Board((), ("x",), METRICS, np.empty((0, 1, 5))))
    assert ranking.scores.tolist() == []
    assert set(ranking.scale.excluded) == set(METRICS)


def test_nobody_has_the_base_metric() -> None:
    ranking = dynascore(board([[GAP, 3], [GAP, 4]]))
    assert ranking.ranks.tolist() == [0, 0]


def test_ties_in_the_base_metric_are_ordered_by_id_whatever_the_row_order() -> None:
    cells = {"a": [70, 3], "b": [70, 9], "c": [80, 1], "d": [60, 1]}
    rates = set()
    for ids in ("abcd", "badc", "dcba"):
        values = np.array([[cells[name]] for name in ids], dtype=float)
        rates.add(dynascore(Board(tuple(ids), ("x",), METRICS[:2], values)).scale.units[1])
    assert rates == {(2 / 10 + 8 / 10) / 2}


def test_epsilon_modes() -> None:
    close = board([[80, 10], [79.995, 30], [60, 30]])
    assert dynascore(close).scale.kept_pairs == 1
    assert dynascore(close).scale.threshold == pytest.approx(80e-4)
    absolute = dynascore(close, Method(epsilon=Epsilon(EpsilonMode.ABSOLUTE)))
    assert absolute.scale.kept_pairs == 2
    assert absolute.scale.threshold == 1e-4


def test_another_base_metric() -> None:
    ranking = dynascore(board([[80, 10], [70, 30]]), Method(base="throughput"))
    assert ranking.scale.units.tolist() == [0.5, 1.0]
    assert ranking.weights.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (Method(weights={"speed": 1}), "There is no metric 'speed' here; a weight may name: performance, throughput."),
        (
            Method(weights={"throughput": -1}),
            "The weight of metric 'throughput' must be a number of at least 0, not -1.",
        ),
        (Method(weights={"throughput": float("nan")}), "at least 0, not nan"),
        (Method(weights={"performance": 0, "throughput": 0}), "All metric weights are 0"),
        (Method(dataset_weights={"all": 0}), "All dataset weights are 0"),
        (Method(dataset_weights={"every": 1}), "There is no dataset 'every' here; a weight may name: all."),
        (Method(base="speed"), "The base metric must be one of performance, throughput, not 'speed'."),
    ],
)
def test_choices_that_cannot_be_are_told_in_one_sentence(method: Method, sentence: str) -> None:
    with pytest.raises(Invalid) as caught:
        dynascore(board([[80, 10], [70, 30]]), method)
    assert sentence in caught.value.detail


@pytest.mark.parametrize("value", [-1.0, float("inf"), float("nan")])
def test_epsilon_must_be_at_least_0(value: float) -> None:
    with pytest.raises(Invalid, match="Epsilon must be a number of at least 0"):
        Epsilon(EpsilonMode.RELATIVE, value)


def test_nothing_of_the_caller_is_changed() -> None:
    weights, cells = {"performance": 3.0}, np.array([[[80.0, 10.0]], [[70.0, 30.0]]])
    before = cells.copy()
    given = Board(("a", "b"), ("x",), METRICS[:2], cells)
    dynascore(given, Method(weights=weights))
    assert weights == {"performance": 3.0}
    np.testing.assert_array_equal(cells, before)
    cells[:] = 0
    np.testing.assert_array_equal(given.values, before)


@pytest.mark.parametrize(
    ("names", "cells"),
    [
        ((("a",), ("x",), ("m",)), np.zeros((2, 1, 1))),
        ((("a", "a"), ("x",), ("m",)), np.zeros((2, 1, 1))),
        ((("a",), ("x",), ("m",)), np.full((1, 1, 1), np.inf)),
    ],
)
def test_a_board_that_cannot_be_is_refused(names: tuple[tuple[str, ...], ...], cells: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"shape|twice|infinite"):
        Board(*names, cells)
