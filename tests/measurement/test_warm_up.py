"""When a model counts as warm."""

from dynaboard.measurement.blocks import Block
from dynaboard.measurement.warm_up import WarmUp, settled


def blocks(*rates: float) -> list[Block]:
    """Blocks of one second with these rates."""
    return [Block(float(index), 1.0, round(rate)) for index, rate in enumerate(rates)]


def test_three_windows_that_are_no_faster_than_those_before_are_settled() -> None:
    assert not settled(blocks(100, 100, 100), 0.05)
    assert not settled(blocks(50, 100, 102, 105), 0.05)
    assert settled(blocks(50, 100, 102, 105, 104), 0.05)


def test_a_model_that_still_gets_faster_is_not_settled() -> None:
    assert not settled(blocks(100, 106, 112, 119, 126), 0.05)


def test_a_machine_with_others_at_work_does_not_keep_a_model_from_being_settled() -> None:
    assert settled(blocks(40, 100, 60, 95, 70), 0.05)


def test_the_expected_rate_is_that_of_the_last_windows() -> None:
    assert WarmUp(tuple(blocks(1, 1, 100, 110, 120)), True).rate == 110
