"""What exchange rates owe to single models, to epsilon and to the mean: on the paper's tables and on small boards."""

from itertools import pairwise

import numpy as np
import pytest

from services.scoring.board import Board, FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.influence import epsilon_steps, greatest_change, rates_of, with_slope, without_each
from services.scoring.method import Epsilon, EpsilonMode, Method, Slope
from services.scoring.ranking import Ranking
from tests.scoring.boards import board
from tests.scoring.test_paper import TABLE_2, tasks


def nli(*more: list[float]) -> Ranking:
    published = TABLE_2["nli"]
    values = np.vstack([published.board.values[:, 0], *more])[:, None]
    names = (*published.board.models, *(f"clone-{number}" for number in range(len(more))))
    return dynascore(Board(names, ("all",), published.board.metrics, values), published.method)


def alone(ranking: Ranking, row: int) -> Ranking:
    """The board of all other models."""
    source = ranking.board
    kept = np.arange(len(source.models)) != row
    names = tuple(name for name, keep in zip(source.models, kept, strict=True) if keep)
    return dynascore(Board(names, source.datasets, source.metrics, source.values[kept]), ranking.source.method)


@tasks
def test_rates_without_a_model_are_those_of_the_board_without_it(task: str) -> None:
    ranking = dynascore(TABLE_2[task].board, TABLE_2[task].method)
    for row, other in without_each(ranking):
        np.testing.assert_allclose(other.rates, rates_of(alone(ranking, row)), rtol=1e-12)


@tasks
def test_moved_pairs_are_those_whose_order_differs_on_the_board_without_the_model(task: str) -> None:
    ranking = dynascore(TABLE_2[task].board, TABLE_2[task].method)
    names = ranking.board.models
    for row, other in without_each(ranking):
        smaller = alone(ranking, row)
        score = dict(zip(smaller.board.models, smaller.scores, strict=True))
        expected = {
            (names[above], names[below])
            for place, above in enumerate(ranking.order)
            for below in ranking.order[place + 1 :]
            if row not in (above, below) and score[names[above]] < score[names[below]]
        }
        assert {(names[above], names[below]) for above, below in other.moved} == expected


def test_a_near_clone_at_another_cost_is_seen_to_move_the_memory_rate_more_than_tenfold() -> None:
    ranking = nli([69.06, 9.23, 15.9, 90.94, 74.82])
    clone = dict(without_each(ranking))[7]
    assert rates_of(ranking)[2] == pytest.approx(169.5, abs=0.1)
    assert clone.rates[2] == pytest.approx(12.017, abs=0.001)
    assert greatest_change(rates_of(ranking), clone.rates) > 10


def test_the_median_of_slopes_resists_that_clone() -> None:
    before, after = nli(), nli([69.06, 9.23, 15.9, 90.94, 74.82])
    assert with_slope(after, Slope.MEDIAN).rates[2] < 2 * with_slope(before, Slope.MEDIAN).rates[2]


def test_the_median_moves_order_too_and_it_is_said_where() -> None:
    published = TABLE_2["hate-speech"]
    moved = with_slope(dynascore(published.board, published.method), Slope.MEDIAN).moved
    assert [(published.board.models[a], published.board.models[b]) for a, b in moved] == [("DeBERTa", "RoBERTa")]


def test_epsilon_steps_are_the_hate_speech_tables_knife_edge() -> None:
    published = TABLE_2["hate-speech"]
    steps = list(epsilon_steps(dynascore(published.board, published.method)))
    (zero, kept), (hundredth, dropped) = steps[:2]
    assert (zero, kept.kept_pairs, round(hundredth, 6), dropped.kept_pairs) == (0.0, 6, 0.01, 5)
    assert kept.rates[2] == pytest.approx(126.7, abs=0.1)
    assert dropped.rates[2] == pytest.approx(7.06, abs=0.01)


def test_between_two_steps_nothing_changes() -> None:
    published = TABLE_2["qa"]
    steps = list(epsilon_steps(dynascore(published.board, published.method)))
    for (low, variation), (high, _) in pairwise(steps):
        method = Method(
            budgets=published.method.budgets, epsilon=Epsilon(EpsilonMode.ABSOLUTE, low + 0.999 * (high - low))
        )
        np.testing.assert_allclose(rates_of(dynascore(published.board, method)), variation.rates, rtol=1e-12)


def test_two_models_owe_every_rate_to_each_other() -> None:
    ranking = dynascore(board([[80, 10], [70, 20]]))
    for _, other in without_each(ranking):
        assert greatest_change(rates_of(ranking), other.rates) == np.inf


def test_empty_and_single_boards_have_no_influence() -> None:
    rows: list[list[float]] = [[1.0, 2.0]]
    for few in (rows, np.empty((0, 2)).tolist()):
        values: FloatArray = np.array(few, dtype=float).reshape(len(few), 1, 2)
        ranking = dynascore(Board(("a",)[: len(few)], ("all",), ("performance", "throughput"), values))
        assert all(not other.moved for _, other in without_each(ranking))
        assert all(not other.moved for _, other in epsilon_steps(ranking))
