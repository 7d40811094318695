"""Whose model is next."""

from hypothesis import given
from hypothesis import strategies as st

from dynaboard.backfill.turns import in_turn

WAITING = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 99)), unique=True)


def turns(waiting: list[tuple[str, int]], served: dict[str, float] | None = None) -> list[tuple[str, int]]:
    return in_turn(waiting, lambda each: each[0], lambda _: 10.0, served or {})


def test_an_owner_of_one_model_does_not_wait_for_all_of_anothers() -> None:
    assert turns([("a", 1), ("a", 2), ("a", 3), ("b", 1)]) == [("a", 1), ("b", 1), ("a", 2), ("a", 3)]


def test_whoever_has_been_given_much_waits() -> None:
    assert turns([("a", 1), ("b", 1), ("b", 2)], {"a": 15}) == [("b", 1), ("b", 2), ("a", 1)]


def test_an_owner_of_a_slow_model_has_fewer_turns() -> None:
    waiting = [("a", 60), ("a", 61), ("b", 1), ("b", 2), ("b", 3)]
    assert in_turn(waiting, lambda each: each[0], lambda each: float(each[1]), {})[:4] == [
        ("a", 60), ("b", 1), ("b", 2), ("b", 3),
    ]  # fmt: skip


@given(WAITING)
def test_everybody_has_a_turn_and_ones_own_order_stays(waiting: list[tuple[str, int]]) -> None:
    ordered = turns(waiting)
    assert sorted(ordered) == sorted(waiting)
    for owner in "abc":
        assert [each for each in ordered if each[0] == owner] == [each for each in waiting if each[0] == owner]
