"""A change is explained when its terms sum to it, and each term moves only for its own cause."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from services.scoring.board import Board
from services.scoring.board_difference import CAUSES, Difference, Side, difference, words
from services.scoring.dynascore import dynascore
from services.scoring.method import Epsilon, EpsilonMode, Method
from services.scoring.zscore import zscore

METRICS = ("performance", "throughput", "memory")
RESULT = st.one_of(st.integers(0, 9).map(float), st.floats(1, 100), st.just(float("nan")))


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, dict[str, str]]:
    """Some of six models on some of three datasets, each in one of two versions."""
    models = tuple(sorted(draw(st.sets(st.sampled_from("abcdef")))))
    datasets = tuple(sorted(draw(st.sets(st.sampled_from("xyz"), min_size=1))))
    values = draw(arrays(np.float64, (len(models), len(datasets), len(METRICS)), elements=RESULT))
    return Board(models, datasets, METRICS, values), {name: draw(st.sampled_from("12")) for name in datasets}


METHODS = st.builds(
    Method,
    weights=st.dictionaries(st.sampled_from(METRICS), st.integers(1, 5)),
    base=st.sampled_from(METRICS),
    budgets=st.sampled_from([{"memory": 32.0}, {"memory": 16.0}]),
    epsilon=st.builds(Epsilon, st.sampled_from(EpsilonMode), st.sampled_from([0.0, 1e-4, 1.0])),
)


@pytest.mark.parametrize("aggregation", [dynascore, zscore])
@given(old=boards(), new=boards(), methods=st.tuples(METHODS, METHODS))
def test_the_terms_of_every_score_sum_to_its_change(
    aggregation: object, old: tuple[Board, dict[str, str]], new: tuple[Board, dict[str, str]], methods: object
) -> None:
    before, after = (
        Side(aggregation(board, method), digests) for (board, digests), method in zip((old, new), methods, strict=True)
    )
    found = difference(before, after, aggregation)
    change = after.ranking.scores[found.after_rows] - before.ranking.scores[found.before_rows]
    size = 1 + np.abs(found.terms).sum(axis=1)
    np.testing.assert_array_less(np.abs(found.terms.sum(axis=1) - change) / size, 1e-9)
    assert [before.board.models[row] for row in found.before_rows] == [
        after.board.models[row] for row in found.after_rows
    ]


BEFORE = np.array([[[80.0, 10, 4]], [[70, 30, 2]], [[60, 20, 1]]])


def explained(values: np.ndarray, models: str = "abc", version: str = "1", method: Method | None = None) -> Difference:
    """From the board of a, b and c to another one."""
    old = Method(budgets={"memory": 32.0})
    before = Side(dynascore(Board(("a", "b", "c"), ("x",), METRICS, BEFORE), old), {"x": "1"})
    board = Board(tuple(models), ("x",), METRICS, values)
    return difference(before, Side(dynascore(board, method or old), {"x": version}), dynascore)


def moved(found: Difference, row: int) -> set[str]:
    return {cause for cause, term in zip(CAUSES, found.terms[row], strict=True) if abs(term) > 1e-12}


def test_nothing_changed() -> None:
    assert not explained(BEFORE).terms.any()


def test_a_new_result_moves_its_model_by_itself_and_all_by_the_exchange_rates() -> None:
    values = BEFORE.copy()
    values[1, 0, 1] = 40
    found = explained(values)
    assert [moved(found, row) for row in range(3)] == [
        {"exchange rates by new results"},
        {"own results", "exchange rates by new results"},
        {"exchange rates by new results"},
    ]


def test_a_newcomer_and_a_leaver_move_the_exchange_rates_alone() -> None:
    found = explained(np.concatenate([BEFORE[:2], [[[65.0, 50, 3]]]]), "abd")
    assert (
        moved(found, 0)
        == moved(found, 1)
        == {"exchange rates by models that left", "exchange rates by models that joined"}
    )


def test_new_examples_in_a_dataset_are_the_datasets_doing() -> None:
    found = explained(BEFORE + np.array([1.0, 0, 0]), version="2")
    assert moved(found, 0) == {"datasets"}


def test_another_budget() -> None:
    assert moved(explained(BEFORE, method=Method(budgets={"memory": 16.0})), 0) == {"memory budget"}


def test_other_weights() -> None:
    method = Method(weights={"memory": 4}, budgets={"memory": 32.0})
    assert moved(explained(BEFORE, method=method), 0) == {"weights"}


def test_a_metric_that_is_left_out_now() -> None:
    values = BEFORE.copy()
    values[:, 0, 2] = 4
    assert "metrics left out" in moved(explained(values), 0)


def test_a_change_is_told_with_its_greatest_cause_first() -> None:
    told = words("tiny", 70, 71, [0.2, 1.0, 0, 0, -0.2, 0, 0, 0, 0.001], {"datasets": "sst is new"})
    assert told == (
        "tiny moves from 70.00 to 71.00 (+1.00): datasets +1.00 (sst is new), own results +0.20, "
        "exchange rates by new results -0.20."
    )
    assert words("tiny", 70, 70, [0] * 9, {}) == "tiny stays at 70.00."
