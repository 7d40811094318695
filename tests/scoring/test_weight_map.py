"""Who is first under which weights: exact, checked against a grid of weightings."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from services.scoring.board import Board, FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.mean_rank import mean_ranks
from services.scoring.method import Method
from services.scoring.pareto import on_front, pareto_front
from services.scoring.weight_map import WeightMap, nearest_weights, plane, regions
from tests.scoring.boards import board
from tests.scoring.test_paper import TABLE_2, tasks

SHARES = [np.array(shares) / 6 for shares in product(range(7), repeat=5) if sum(shares) == 6]
TERMS = arrays(np.float64, st.tuples(st.integers(1, 6), st.just(3)), elements=st.integers(-3, 3).map(float))


def table(task: str) -> WeightMap:
    return WeightMap.of(dynascore(TABLE_2[task].board, TABLE_2[task].method))


def made(terms: FloatArray) -> WeightMap:
    return WeightMap(np.arange(len(terms)), np.arange(3), terms, np.array([0.5, 0.25, 0.25]))


@tasks
def test_who_is_first_somewhere_on_a_grid_of_weights_can_be_first(task: str) -> None:
    found = table(task)
    winners = {int(np.argmax(found.terms @ weights)) for weights in SHARES}
    possible = {model for model in range(len(found.rows)) if nearest_weights(found, model) is not None}
    assert winners <= possible


@tasks
def test_nearest_weights_put_the_model_first_and_no_grid_weights_nearer_do(task: str) -> None:
    found = table(task)
    for model in range(len(found.rows)):
        weights = nearest_weights(found, model)
        if weights is not None:
            scores = found.terms @ weights
            assert scores[model] >= scores.max() - 1e-6
            moved = np.abs(weights - found.weights).sum() / 2
            nearer = [grid for grid in SHARES if np.abs(grid - found.weights).sum() / 2 < moved - 1e-9]
            assert all((found.terms @ grid)[model] < (found.terms @ grid).max() for grid in nearer)


def test_the_first_model_needs_no_change_and_a_dominated_one_can_never_be_first() -> None:
    found = table("nli")
    first = nearest_weights(found, 0)
    assert first is not None
    np.testing.assert_allclose(first, found.weights, atol=1e-9)
    assert nearest_weights(made(np.array([[1.0, 1, 1], [0, 0, 0]])), 1) is None


def test_a_model_between_two_others_in_every_mixture_is_never_first() -> None:
    # Not dominated by either, but by half of each: on the Pareto front, and yet first under no weights.
    terms = np.array([[10.0, 0, 0], [0, 10, 0], [4, 4, -1]])
    assert pareto_front(terms).all()
    assert nearest_weights(made(terms), 2) is None


@settings(deadline=None, max_examples=60)
@given(TERMS, st.floats(0, 1), st.floats(0, 1))
def test_a_point_lies_in_the_region_of_whoever_is_first_there(terms: FloatArray, a: float, b: float) -> None:
    a = min(a, 1 - b)
    scores = plane(made(terms), 0, 1)
    at = scores @ [a, b, 1.0]
    for model, polygon in enumerate(regions(scores)):
        ahead = at[model] - np.delete(at, model).max(initial=-np.inf)
        if ahead > 1e-6:
            assert _inside(polygon, np.array([a, b]))
        elif ahead < -1e-6 and len(polygon):
            assert not _inside(polygon, np.array([a, b]), -1e-6)


def _inside(polygon: FloatArray, point: FloatArray, slack: float = 1e-9) -> bool:
    side, off = np.roll(polygon, -1, axis=0) - polygon, point - polygon
    turns = side[:, 0] * off[:, 1] - side[:, 1] * off[:, 0]
    return bool((turns >= -slack).all())


@tasks
def test_regions_cover_the_triangle_without_overlap(task: str) -> None:
    areas = [_area(polygon) for polygon in regions(plane(table(task), 0, 2))]
    assert sum(areas) == pytest.approx(0.5, abs=1e-9)


def _area(polygon: FloatArray) -> float:
    if not len(polygon):
        return 0.0
    x, y = polygon.T
    return float(np.abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


@given(arrays(np.float64, st.tuples(st.integers(0, 8), st.integers(1, 3)), elements=st.integers(0, 3).map(float)))
def test_the_pareto_front_is_whoever_nobody_dominates(goods: FloatArray) -> None:
    expected = [not any((other >= own).all() and (other > own).any() for other in goods) for own in goods]
    assert pareto_front(goods).tolist() == expected


def test_the_front_counts_only_metrics_with_weight() -> None:
    rows = [[80.0, 10.0], [70.0, 20.0], [60.0, 5.0]]
    assert on_front(dynascore(board(rows))).tolist() == [True, True, False]
    assert on_front(dynascore(board(rows), Method({"throughput": 0}))).tolist() == [True, False, False]


def test_mean_ranks_are_weighted_and_equals_share_their_place() -> None:
    ranking = dynascore(board([[80, 10], [70, 20], [60, 20]]), Method({"performance": 3, "throughput": 1}))
    np.testing.assert_allclose(mean_ranks(ranking), [(3 * 1 + 3) / 4, (3 * 2 + 1.5) / 4, (3 * 3 + 1.5) / 4])


def test_a_model_that_lacks_a_metric_is_not_on_the_map_the_front_or_in_the_ranks() -> None:
    ranking = dynascore(board([[80, 10], [70, 20], [60, float("nan")]]))
    assert WeightMap.of(ranking).rows.tolist() == [0, 1]
    assert on_front(ranking).tolist() == [True, True, False]
    assert np.isnan(mean_ranks(ranking)[2])


def test_a_board_of_one_is_first_everywhere() -> None:
    found = WeightMap.of(dynascore(Board(("a",), ("all",), ("performance", "memory"), np.array([[[1.0, 2.0]]]))))
    assert nearest_weights(found, 0) is not None
