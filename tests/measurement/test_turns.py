"""How the work of a pair is cut and merged: all of it, evenly, and nobody always first."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.blocks import Block, Pair, turns
from dynaboard.measurement.throughput import merged

PASS = list(range(8))


def test_a_quick_model_makes_several_passes_in_turns_of_about_the_right_length() -> None:
    cut = turns(PASS, pass_s=0.01, pair_s=0.25, turn_s=0.05)
    assert len(cut) == 5
    assert list(chain(*cut)) == PASS * 25


def test_a_slow_model_makes_one_pass_with_a_turn_for_each_request_at_most() -> None:
    assert turns(PASS, pass_s=8.0, pair_s=0.25, turn_s=2.0) == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert turns(PASS, pass_s=80.0, pair_s=0.25, turn_s=0.05) == [[request] for request in PASS]


def test_a_model_too_quick_for_the_clock_is_not_asked_for_ever() -> None:
    assert len(list(chain(*turns(PASS, pass_s=0.0, pair_s=0.1, turn_s=0.05)))) == 8_000


@given(st.integers(1, 50), st.floats(1e-6, 100), st.floats(0.01, 1), st.floats(0.01, 1))
def test_every_pair_is_whole_passes_and_no_turn_is_empty(
    size: int, pass_s: float, pair_s: float, turn_s: float
) -> None:
    requests = list(range(size))
    cut = turns(requests, pass_s, pair_s, turn_s)
    work = list(chain(*cut))
    assert all(cut)
    assert work == requests * (len(work) // size)


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 1))
def test_each_side_has_each_turn_once_and_in_order(first: int, second: int, leader: int) -> None:
    order = merged(first, second, leader)
    assert [turn for side, turn in order if side == 0] == list(range(first))
    assert [turn for side, turn in order if side == 1] == list(range(second))


def test_who_is_first_changes_from_turn_to_turn_and_from_pair_to_pair() -> None:
    assert [side for side, _ in merged(4, 4, 0)] == [0, 1, 1, 0, 0, 1, 1, 0]
    assert [side for side, _ in merged(4, 4, 1)] == [1, 0, 0, 1, 1, 0, 0, 1]


def test_turns_of_unequal_number_are_spread_among_one_another() -> None:
    assert [side for side, _ in merged(2, 4, 0)] == [1, 0, 1, 1, 0, 1]


@given(st.floats(0.5, 2), st.integers(1, 6))
def test_a_steady_drift_cancels(drift: float, count: int) -> None:
    """Two equal models on a machine that slows down linearly: over two pairs, the ratio is 1."""
    seconds, order = [0.0, 0.0], [*merged(2 * count, 2 * count, 0), *merged(2 * count, 2 * count, 1)]
    for place, (side, _) in enumerate(order):
        seconds[side] += 1 + drift * place
    assert seconds[0] == pytest.approx(seconds[1])


def test_a_ratio_is_that_of_all_turns_together() -> None:
    pair = Pair((Block(0, 1, 10), Block(2, 3, 10)), (Block(1, 1, 5), Block(5, 1, 5)))
    assert pair.ratio == pytest.approx(1.0)
    assert pair.seconds == 6
