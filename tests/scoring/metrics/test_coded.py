"""Coded columns say what plain lists of the same values say, and so does every metric of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.metrics import METRICS
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.coded import Coded, each, each_pair, taken

LABELS = ("positive", "negative", "neutral")
ROWS = st.lists(
    st.tuples(
        st.sampled_from(LABELS),
        st.sampled_from([("positive",), ("negative",), ("neutral",), ("neutral", "negative")]),
        st.lists(st.floats(0.01, 1), min_size=3, max_size=3),
    ),
    min_size=1,
    max_size=30,
)
TEXTS = st.lists(
    st.tuples(st.sampled_from(["the Rhine", "Rome", ""]), st.sampled_from([("Rhine",), ("in Rome", "Rome")])),
    min_size=1,
)


def coded(column: list) -> Coded:  # type: ignore[type-arg]
    values = list(dict.fromkeys(column))
    return Coded(values, np.array([values.index(value) for value in column], dtype=np.int32))


@given(st.lists(st.text(max_size=3)), st.lists(st.text(max_size=3)))
def test_a_coded_column_is_a_sequence_of_its_values(one: list[str], other: list[str]) -> None:
    column = coded(one)
    assert list(column) == one
    assert [column[row] for row in range(len(column))] == one
    assert list(taken(column, list(range(0, len(one), 2)))) == one[::2]
    assert each(column, len).tolist() == [len(text) for text in one]
    short = min(len(one), len(other))
    pairs = each_pair(coded(one[:short]), coded(other[:short]), lambda first, second: float(first < second))
    assert pairs.tolist() == [float(first < second) for first, second in zip(one, other, strict=False)]


def test_many_different_pairs_are_counted_too() -> None:
    column = coded([str(number) for number in range(1000)])
    assert each_pair(column, column, lambda one, other: float(one == other)).sum() == 1000


@given(ROWS)
@pytest.mark.parametrize("name", sorted(METRICS))
def test_every_metric_of_labels_is_the_same_to_the_last_bit(
    name: str, rows: list[tuple[str, tuple[str, ...], list[float]]]
) -> None:
    given_, right, numbers = (list(column) for column in zip(*rows, strict=True))
    probabilities = np.array(numbers) / np.sum(numbers, axis=1, keepdims=True)
    plain = Answers(given_, right, LABELS, probabilities)
    columns = Answers(coded(given_), coded(right), LABELS, probabilities)
    expected, found = METRICS[name].statistics(plain), METRICS[name].statistics(columns)
    assert (expected is None) == (found is None)
    if expected is not None and found is not None:
        np.testing.assert_array_equal(expected, found)


@given(TEXTS)
@pytest.mark.parametrize("name", ["squad_em", "squad_f1"])
def test_and_so_is_every_metric_of_texts(name: str, rows: list[tuple[str, tuple[str, ...]]]) -> None:
    given_, right = (list(column) for column in zip(*rows, strict=True))
    expected = METRICS[name].statistics(Answers(given_, right))
    found = METRICS[name].statistics(Answers(coded(given_), coded(right)))
    assert expected is not None
    assert found is not None
    np.testing.assert_array_equal(expected, found)
