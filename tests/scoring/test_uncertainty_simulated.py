"""What the board claims of its own sureness, checked where the truth is known. `-m slow` has the long forms."""

from collections.abc import Callable

import numpy as np
import pytest

from services.scoring.board import Board
from services.scoring.dynascore import dynascore
from services.scoring.method import Method
from services.scoring.ties import rank_intervals
from services.scoring.uncertainty import Resamples, Uncertainty, signs, uncertainty
from tests.scoring.simulated import METRICS, Truth, correct, observed

METHOD = Method(budgets={"memory": 16.0})
FIVE = Truth([88, 85, 82, 78, 70], [40, 90, 60, 200, 300], [6, 5, 4, 2, 1])


def judged(board: Board, resamples: Resamples) -> Uncertainty:
    return uncertainty(dynascore(board, METHOD), resamples)


def different(found: Uncertainty, first: int, second: int) -> bool:
    place = {int(row): number for number, row in enumerate(found.rows)}
    return bool(found.differences.different[place[first], place[second]])


def twins(draw: np.random.Generator) -> bool:
    """A model under two names, its cost measured twice, among four others: are they called different?"""
    right = correct(FIVE, draw)
    truth = Truth([*FIVE.accuracies, FIVE.accuracies[1]], [*FIVE.rates, FIVE.rates[1]], [*FIVE.memory, FIVE.memory[1]])
    return different(judged(*observed(truth, np.column_stack([right, right[:, 1]]), draw)), 1, 5)


def equals(draw: np.random.Generator) -> bool:
    """Two models of the same true accuracy and cost that err on other examples, alone on a board."""
    truth = Truth([80, 80], [50, 50], [4, 4])
    board, resamples = observed(truth, correct(truth, draw), draw)
    return different(judged(*only_performance(board, resamples)), 0, 1)


def two_points_apart(draw: np.random.Generator) -> bool:
    """82 % and 80 % at n = 2,000; they differ on 8 % of the examples: these two points, and 6 % by luck."""
    truth = Truth([82, 80], [50, 50], [4, 4], discordance=0.06)
    board, resamples = observed(truth, correct(truth, draw), draw)
    return different(judged(*only_performance(board, resamples)), 0, 1)


def only_performance(board: Board, resamples: Resamples) -> tuple[Board, Resamples]:
    """The same without costs."""
    return Board(board.models, board.datasets, METRICS[:1], board.values[..., :1]), Resamples(resamples.deviations[:1])


def score_covered(draw: np.random.Generator) -> float:
    """The share of models whose true score, at the board's own exchange rates, lies in its interval."""
    board, resamples = observed(FIVE, correct(FIVE, draw), draw)
    found = judged(board, resamples)
    factors = found.ranking.weights / found.ranking.scale.units * signs(found.ranking)
    true = found.ranking.scores + (FIVE.values[:, 0] - board.values[:, 0]) @ factors
    low, high = found.score_intervals.T
    return float(((low <= true) & (true <= high)).mean())


def performance_covered(draw: np.random.Generator) -> float:
    """The share of models whose true accuracy lies in its interval."""
    found = judged(*observed(FIVE, correct(FIVE, draw), draw))
    low, high = found.metric_intervals[:, 0].T
    return float(((low <= FIVE.accuracies) & (FIVE.accuracies <= high)).mean())


def costs_covered(draw: np.random.Generator) -> float:
    """The share of throughputs and memories within their intervals over six blocks."""
    found = judged(*observed(FIVE, correct(FIVE, draw), draw))
    true, ends = FIVE.values[:, 0, 1:], found.metric_intervals[:, 1:]
    return float(((ends[..., 0] <= true) & (true <= ends[..., 1])).mean())


def ranks_covered(draw: np.random.Generator) -> bool:
    """Whether all true ranks of nearly equal models lie in their intervals at once."""
    truth = Truth([80.0, 79.8, 79.6, 79.4, 75.0, 74.9], [50] * 6, [4] * 6)
    found = judged(*only_performance(*observed(truth, correct(truth, draw), draw)))
    ends = rank_intervals(found.differences)
    true = found.rows + 1
    return bool(((ends[:, 0] <= true) & (true <= ends[:, 1])).all())


def share(event: Callable[[np.random.Generator], float], times: int) -> float:
    draw = np.random.default_rng(20)
    return float(np.mean([event(draw) for _ in range(times)]))


def test_one_model_under_two_names_is_called_different_in_at_most_one_of_twenty_boards() -> None:
    assert share(twins, 50) <= 0.05


def test_two_models_two_points_apart_are_told_apart_in_four_of_five_boards() -> None:
    assert share(two_points_apart, 100) >= 0.8


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    assert share(score_covered, 60) == pytest.approx(0.95, abs=0.04)


def test_all_true_ranks_lie_in_their_intervals() -> None:
    assert share(ranks_covered, 60) >= 0.95


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("event", [score_covered, performance_covered, costs_covered])
def test_coverage_of_intervals_is_93_to_97_percent(event: Callable[[np.random.Generator], float]) -> None:
    assert 0.93 <= share(event, 1_000) <= 0.97


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("event", [twins, equals])
def test_models_that_do_not_differ_are_called_different_in_at_most_five_percent(
    event: Callable[[np.random.Generator], float],
) -> None:
    assert share(event, 1_000) <= 0.05 + 0.014  # two standard errors of a thousand boards


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_all_true_ranks_lie_in_their_intervals_in_95_percent_of_a_thousand_boards() -> None:
    assert share(ranks_covered, 1_000) >= 0.95
