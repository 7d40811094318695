"""The protocol's arithmetic, against published tables and known distributions."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.plan import (
    PROFILES,
    Block,
    enough,
    median_interval,
    noisy,
    pass_length,
    quantile,
    settled,
    stratified,
    time_weighted_mean,
    upper_bound,
)

QUICK = PROFILES["quick"]
EXAMPLES = [{"id": str(n), "text": "x" * n} for n in range(1, 1001)]


def blocks(*rates: float) -> list[Block]:
    """Blocks of one second with these rates."""
    return [Block(float(index), 1.0, round(rate)) for index, rate in enumerate(rates)]


# Minimum number of requests for a percentile at 99 %, by how many may be discarded: MLPerf LoadGen's early stopping.
@pytest.mark.parametrize(
    ("share", "discarded", "least"),
    [(0.5, 0, 7), (0.5, 1, 11), (0.9, 0, 44), (0.9, 1, 64), (0.9, 5, 127), (0.95, 2, 165), (0.99, 1, 662)],
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


def test_six_blocks_are_the_fewest_whose_range_is_an_interval() -> None:
    assert median_interval([1, 2, 3, 4, 5, 6]) == (1, 6)
    assert median_interval([1, 2, 3, 4, 5, 6, 7, 8, 9]) == (2, 8)
    assert noisy([1.0] * 5, 0.03)
    assert not noisy([1.0] * 6, 0.03)


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_the_median_lies_in_its_interval(values: list[float]) -> None:
    low, high = median_interval(values)
    assert low <= quantile(values, 0.5) <= high


def test_quantiles_are_nearest_ranks_and_the_median_is_the_middle() -> None:
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile(range(1, 101), 0.9) == 90
    assert quantile([7], 0.9) == 7


def test_inputs_are_spread_evenly_over_lengths() -> None:
    lengths = sorted(len(example["text"]) for example in stratified(EXAMPLES, 10, ["text"]))
    assert lengths == [51, 151, 251, 351, 451, 551, 651, 751, 851, 951]


def test_inputs_are_the_same_whatever_the_order_of_the_examples() -> None:
    assert stratified(EXAMPLES, 64, ["text"]) == stratified(EXAMPLES[::-1], 64, ["text"])


def test_few_examples_are_repeated() -> None:
    assert sorted(example["id"] for example in stratified(EXAMPLES[:2], 4, ["text"])) == ["1", "1", "2", "2"]


def test_measuring_with_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no examples"):
        stratified([], 4, ["text"])


@pytest.mark.parametrize(("batch_size", "length"), [(1, 64), (10, 70), (32, 64), (256, 256)])
def test_a_pass_is_made_of_whole_batches(batch_size: int, length: int) -> None:
    assert pass_length(QUICK, batch_size) == length


def test_three_windows_within_the_agreement_are_settled() -> None:
    assert not settled(blocks(100, 100), 0.05)
    assert not settled(blocks(100, 100, 106), 0.05)
    assert settled(blocks(50, 100, 102, 105), 0.05)


def test_blocks_end_when_their_interval_is_narrow() -> None:
    assert not enough([], QUICK)
    assert not enough(blocks(*[100] * 5), QUICK)
    assert enough(blocks(*[100] * 6), QUICK)
    assert not enough(blocks(100, 90, 110, 100, 90, 110), QUICK)


def test_blocks_end_when_their_number_or_time_is_used_up() -> None:
    assert enough(blocks(*[100, 200] * 5), QUICK)
    long = [Block(0.0, 15.0, 64)] * 3
    assert not enough(long[:2], QUICK)
    assert enough(long, QUICK)


def test_the_mean_over_time_weighs_a_sample_by_how_long_it_held() -> None:
    assert time_weighted_mean([(0, 10), (1, 10), (10, 10)]) == 10
    assert time_weighted_mean([(0, 0), (1, 10), (3, 10)]) == pytest.approx(25 / 3)
    assert time_weighted_mean([(0, 7)]) == 7
    assert math.isnan(time_weighted_mean([]))
