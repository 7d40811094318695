"""Order statistics against published tables and known distributions."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.statistics import (
    mean_within,
    median_interval,
    quantile,
    time_weighted_mean,
    upper_bound,
)


# Minimum number of requests for a percentile at 99 %, by how many may be discarded: MLPerf LoadGen's early stopping.
@pytest.mark.parametrize(
    ("share", "discarded", "least"),
    [(0.5, 0, 7), (0.5, 1, 11), (0.9, 0, 44), (0.9, 1, 64), (0.9, 5, 127), (0.95, 2, 165), (0.99, 0, 459)],
)
def test_the_upper_bound_discards_as_many_as_mlperf(share: float, discarded: int, least: int) -> None:
    values = [float(n) for n in range(least)]
    assert upper_bound(values, share, 0.99) == values[-1 - discarded]
    short = upper_bound(values[:-1], share, 0.99)
    assert short is None if discarded == 0 else short == values[-1 - discarded]


def test_the_upper_bound_holds_in_ninety_nine_of_a_hundred_runs() -> None:
    random = Random(1)
    true = -math.log(0.1)
    runs = [upper_bound([random.expovariate(1) for _ in range(100)], 0.9, 0.99) for _ in range(1_000)]
    assert sum(bound is not None and bound >= true for bound in runs) >= 980


def test_the_median_interval_holds_in_nineteen_of_twenty_runs() -> None:
    random = Random(2)
    runs = [median_interval([random.expovariate(1) for _ in range(9)]) for _ in range(1_000)]
    assert sum(low <= math.log(2) <= high for low, high in runs) >= 940


def test_six_values_are_the_fewest_whose_range_is_an_interval() -> None:
    assert median_interval([1, 2, 3, 4, 5, 6]) == (1, 6)
    assert median_interval([1, 2, 3, 4, 5, 6, 7, 8, 9]) == (2, 8)


def test_the_median_interval_of_a_minute_of_quick_requests_is_found_at_once() -> None:
    """By the normal approximation, which is as good as exact there: half of 100,000 less 1.96 times half their root."""
    low, high = median_interval(range(1, 100_001))
    assert low == pytest.approx(50_000 - 1.96 * math.sqrt(100_000) / 2, abs=1)
    assert low + high == 100_001


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_the_median_lies_in_its_interval(values: list[float]) -> None:
    low, high = median_interval(values)
    assert low <= quantile(values, 0.5) <= high


def test_quantiles_are_nearest_ranks_and_the_median_is_the_middle() -> None:
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile(range(1, 101), 0.9) == 90
    assert quantile([7], 0.9) == 7


def test_the_mean_over_time_weighs_a_sample_by_how_long_it_held() -> None:
    assert time_weighted_mean([(0, 10), (1, 10), (10, 10)]) == 10
    assert time_weighted_mean([(0, 0), (1, 10), (3, 10)]) == pytest.approx(25 / 3)
    assert time_weighted_mean([(0, 7)]) == 7
    assert math.isnan(time_weighted_mean([]))


def test_the_mean_within_spans_leaves_out_what_lies_between_them() -> None:
    busy, idle = 10.0, 2.0
    samples = [(0.0, busy), (1.0, busy), (1.001, idle), (2.0, idle), (2.001, busy), (3.0, busy)]
    assert mean_within(samples, [(0, 1), (2.001, 3)]) == pytest.approx(busy)
    assert mean_within(samples, [(1.001, 2)]) == pytest.approx(idle)


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 1e3)), min_size=1),
    st.lists(st.tuples(st.floats(-10, 110), st.floats(0.01, 10)), min_size=1),
)
def test_the_mean_within_spans_lies_among_the_samples(
    samples: list[tuple[float, float]], spans: list[tuple[float, float]]
) -> None:
    ordered = sorted(dict(samples).items())
    mean = mean_within(ordered, [(start, start + length) for start, length in spans])
    values = [value for _, value in ordered]
    assert min(values) - 1e-6 <= mean <= max(values) + 1e-6


def test_the_mean_within_the_whole_run_is_the_mean_over_time() -> None:
    samples = [(0.0, 0.0), (1.0, 10.0), (3.0, 10.0)]
    assert mean_within(samples, [(0, 3)]) == pytest.approx(time_weighted_mean(samples))
