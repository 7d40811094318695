"""What back-fill will take, told from what was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.backfill.cost import Ending, Overheads, Past, overheads_of, predicting_seconds, sentence


def test_a_fixed_part_and_one_for_each_example_are_told_apart() -> None:
    pasts = [Past(count, 80, 2 + 0.01 * count) for count in (100, 400, 1000)]
    assert predicting_seconds(pasts, 5000, 80) == pytest.approx(52, rel=0.01)


def test_texts_of_the_same_length_tell_most() -> None:
    pasts = [Past(1000, 50, 10), Past(1000, 1000, 100)]
    assert 95 < predicting_seconds(pasts, 1000, 1000) < 100
    assert 10 < predicting_seconds(pasts, 1000, 50) < 15


def test_start_and_measurement_are_told_apart_by_how_many_were_measured() -> None:
    endings = [Ending(total_s=5 + 15 * n + 7, predicting_s=7, measured=n) for n in (1, 2, 4, 8)]
    found = overheads_of(endings)
    assert [found.start_s, found.measurement_s] == pytest.approx([5, 15])


def test_or_by_the_cold_start_where_all_measured_as_many() -> None:
    found = overheads_of([Ending(total_s=44, predicting_s=10, measured=2, start_s=4)] * 3)
    assert found == Overheads(4, 15)


@given(
    st.lists(st.builds(Ending, st.floats(0, 1e6), st.floats(0, 1e6), st.integers(0, 9), st.none() | st.floats(0, 99)))
)
def test_overheads_are_plain_numbers_that_a_database_takes_and_never_negative(endings: list[Ending]) -> None:
    found = overheads_of(endings)
    for value in (found.start_s, found.measurement_s):
        assert type(value) is float
        assert 0 <= value < float("inf")


def test_one_run_that_waited_an_hour_changes_little() -> None:
    endings = [Ending(5 + 15 * n, 0, n) for n in (1, 2, 3, 4, 5)] + [Ending(3600, 0, 3)]
    assert overheads_of(endings).measurement_s < 30


@given(st.lists(st.builds(Past, st.integers(0, 10**6), st.floats(0, 1e5), st.floats(0, 1e6))), st.integers(0, 10**6))
def test_a_prediction_is_never_negative_nor_not_a_number(pasts: list[Past], examples: int) -> None:
    assert 0 <= predicting_seconds(pasts, examples, 100) < float("inf")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((47, 1, 21_600.0, 2), "47 models × 1 dataset, about 3 h on 2 evaluators"),
        ((1, 3, 60.0, 1), "1 model × 3 datasets, about 60 s on 1 evaluator"),
        ((0, 0, 0.0, 1), "Nothing is missing."),
    ],
)
def test_it_is_said_in_a_sentence(numbers: tuple[int, int, float, int], said: str) -> None:
    assert sentence(*numbers) == said
