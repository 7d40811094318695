"""Intervals of metrics, scores and exchange rates, out of the resamples of cells."""

import numpy as np
import pytest

from services.scoring.block_costs import GIB, Blocks, between_runs
from services.scoring.board import Board, FloatArray
from services.scoring.dynascore import dynascore
from services.scoring.method import Method
from services.scoring.replicates import decoded, encoded, of_blocks, of_interval
from services.scoring.sureness import first_shares, head, row_fields
from services.scoring.uncertainty import Resamples, Uncertainty, amrs_intervals, quantiles, uncertainty
from services.scoring.zscore import zscore

METRICS = ("performance", "throughput", "memory")
METHOD = Method(budgets={"memory": 16.0})
VALUES = [[[80, 10, 4], [70, 12, 4]], [[75, 20, 3], [72, 22, 3]], [[60, 90, 1], [61, 95, 1]]]


def small(scale: float = 1.0, replicates: int = 400) -> tuple[Board, Resamples]:
    board = Board(("a", "b", "c"), ("x", "y"), METRICS, np.array(VALUES, dtype=float))
    draw = np.random.default_rng(0).normal(0, scale, (3, 2, 3, replicates))
    return board, Resamples(draw.astype(np.float32))


def by_hand(board: Board, resamples: Resamples, method: Method, found: Uncertainty) -> FloatArray:
    """Scores of every resample, made from its own board with the exchange rates of the real one."""
    scale = found.ranking.scale
    scores = []
    for number in range(resamples.deviations.shape[-1]):
        values = board.values + resamples.deviations[..., number].transpose(2, 1, 0)
        goods = dynascore(Board(board.models, board.datasets, board.metrics, values), method).source.goods
        scores.append(((goods - scale.offsets) / scale.units) @ found.ranking.weights)
    return np.array(scores).T


@pytest.mark.parametrize("aggregation", [dynascore, zscore])
@pytest.mark.parametrize("method", [METHOD, Method({"memory": 3}, {"x": 2, "y": 1}, budgets={"memory": 16.0})])
def test_scores_of_resamples_are_those_of_resampled_boards(aggregation: type[dynascore], method: Method) -> None:
    board, resamples = small()
    found = uncertainty(aggregation(board, method), resamples)
    expected = by_hand(board, resamples, method, found)
    np.testing.assert_allclose(
        found.ranking.scores[found.rows, None] + found.scores, expected[found.rows], rtol=1e-4, atol=1e-3
    )
    np.testing.assert_allclose(
        found.score_intervals, np.percentile(expected, [2.5, 97.5], axis=1).T, rtol=1e-3, atol=1e-2
    )


def test_a_metric_that_differs_only_by_rounding_has_no_exchange_rate_in_any_resample() -> None:
    draw = np.random.default_rng(0)
    values = np.array(VALUES, dtype=float)
    values[..., 1] = 0.1 + 0.2 * np.array([[1.0], [1.0 + 2e-16], [1.0 - 2e-16]])
    deviations = draw.normal(0, 1, (3, 2, 3, 200))
    # The same luck for all three models, but for the last digit of four bytes.
    deviations[1] = draw.normal(0, 1, (2, 1, 200)) * (1 + 1e-7 * draw.integers(-1, 2, (2, 3, 200)))
    board = Board(("a", "b", "c"), ("x", "y"), METRICS, values)
    found = uncertainty(dynascore(board, METHOD), Resamples(deviations.astype(np.float32)))
    assert "throughput" in found.ranking.scale.excluded
    np.testing.assert_array_equal(amrs_intervals(found)[1], [0, 0])
    assert head(found).amrs["throughput"] is None, "what is left out has no interval"
    assert head(found).amrs["memory"] is not None


def test_a_dataset_without_weight_adds_no_uncertainty() -> None:
    board, resamples = small()
    found = uncertainty(dynascore(board, Method(dataset_weights={"y": 0}, budgets={"memory": 16.0})), resamples)
    alone = np.percentile(resamples.deviations[0, 0, 0], [2.5, 97.5])
    np.testing.assert_allclose(found.metric_intervals[0, 0], 80 + alone, rtol=1e-5)


def test_a_model_that_lacks_a_result_has_no_interval_and_harms_nobody() -> None:
    values = np.array(VALUES, dtype=float)
    values[2, 0, 0] = np.nan
    _, resamples = small()
    found = uncertainty(dynascore(Board(("a", "b", "c"), ("x", "y"), METRICS, values), METHOD), resamples)
    assert np.isnan(found.score_intervals[2]).all()
    assert np.isfinite(found.score_intervals[:2]).all()
    assert "rank_low" not in row_fields(found)[2]


def test_a_board_whose_scores_have_no_metric_left_is_one_tie() -> None:
    board, resamples = small()
    alike = Board(board.models, board.datasets, METRICS, np.ones_like(board.values))
    found = uncertainty(dynascore(alike, Method({"performance": 0}, budgets={"memory": 16.0})), resamples)
    assert {fields["tie_group"] for fields in row_fields(found)} == {1}


def test_exchange_rates_have_intervals_that_hold_them() -> None:
    board, resamples = small(0.1)
    found = uncertainty(dynascore(board, METHOD), resamples)
    for (low, high), rate in zip(amrs_intervals(found), found.ranking.scale.units, strict=True):
        assert low <= rate <= high


def test_shares_of_being_first_sum_to_one() -> None:
    shares = first_shares(uncertainty(dynascore(small()[0], METHOD), small(20)[1]))
    assert shares.sum() == pytest.approx(1)


def test_quantiles_are_numpys() -> None:
    values = np.random.default_rng(1).normal(size=(3, 777)).astype(np.float32)
    np.testing.assert_allclose(quantiles(values), np.quantile(values, [0.025, 0.975], axis=1).T, rtol=1e-5)


def test_stored_replicates_come_back_and_a_resample_that_said_nothing_says_the_value() -> None:
    assert decoded(encoded(np.array([1.5, np.nan, 2.0])), 1.75).tolist() == [1.5, 1.75, 2.0]


def test_few_blocks_have_students_interval_and_one_block_none() -> None:
    blocks = np.random.default_rng(2).normal(100, 5, 6)
    ends = np.quantile(of_blocks(blocks, 100.0, 1, np.mean, 20_000), [0.025, 0.975])
    half = 2.571 * blocks.std(ddof=1) / np.sqrt(6)  # t with five degrees of freedom
    np.testing.assert_allclose(ends, [100 - half, 100 + half], atol=0.12 * half)
    assert set(of_blocks([7.0], 7.0, 1, np.median).tolist()) == {7.0}


def test_a_stand_in_has_the_ends_of_its_interval() -> None:
    np.testing.assert_allclose(np.quantile(of_interval(10.0, 9.0, 11.0, 5), [0.025, 0.975]), [9, 11], atol=0.02)


def test_blocks_of_a_measurement_are_its_rates_and_the_memory_sampled_within_each() -> None:
    found = Blocks.of(
        {
            "blocks": [
                {"start_s": 0.0, "seconds": 2.0, "examples": 20},
                {"start_s": 3.0, "seconds": 2.0, "examples": 30},
            ],
            "memory_samples": [[0.5, GIB], [1.5, 3 * GIB], [2.5, 99 * GIB], [4.0, 4 * GIB]],
        }
    )
    assert (found.rates, found.memory) == ((10.0, 15.0), (2.0, 4.0))
    assert found.deviations("latency_p50", 1) is None
    assert Blocks.of({}).deviations("throughput", 1) is None


def test_a_cost_varies_between_runs_even_where_its_blocks_do_not() -> None:
    assert between_runs("memory", 0.03, 1).std() == pytest.approx(1 / 1024 / (1.96 * 2**0.5), rel=0.1)
    assert between_runs("memory", 10.0, 1).std() == pytest.approx(0.2 / (1.96 * 2**0.5), rel=0.1)
    assert between_runs("throughput", 50.0, 1).std() == pytest.approx(1.4, rel=0.1)
