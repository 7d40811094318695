"""The canary: what it takes, what it remembers, and how often it cries wolf."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.canary import LEAST, MOST, UNTRIED, Canary, drift, limit, remembered, sing

EXPECTED = Canary(0.002, 0.004)


def sung(random: Random, spread: float, slower: float = 1.0) -> Canary:
    """A canary on a machine whose times vary so much: the best of 25 rounds, never quicker than the machine is."""
    rounds = [Canary(0.002 * _late(random, spread), 0.004 * _late(random, spread)) for _ in range(25)]
    return Canary(slower * min(c.compute_s for c in rounds), slower * min(c.memory_s for c in rounds))


def _late(random: Random, spread: float) -> float:
    return 1 + abs(random.gauss(0, spread))


def test_it_sings_within_half_a_second() -> None:
    canary = sing()
    assert 0 < canary.compute_s < 0.05
    assert 0 < canary.memory_s < 0.05


def test_nothing_remembered_is_no_drift() -> None:
    assert remembered([]) is None
    assert drift(EXPECTED, None) == 0.0


def test_the_median_is_remembered() -> None:
    assert remembered([Canary(0.001, 0.009), EXPECTED, Canary(0.003, 0.001)]) == EXPECTED


@pytest.mark.parametrize(
    ("now", "share"),
    [
        (Canary(0.004, 0.004), -0.5),
        (Canary(0.002, 0.008), -0.5),
        (Canary(0.001, 0.004), 1.0),
        (Canary(0.0019, 0.006), -1 / 3),
        (EXPECTED, 0.0),
    ],
)
def test_drift_is_that_of_the_part_further_off(now: Canary, share: float) -> None:
    assert drift(now, EXPECTED) == pytest.approx(share)


def test_few_memories_make_no_narrow_limit() -> None:
    assert limit([EXPECTED] * 19) == UNTRIED
    assert limit([EXPECTED] * 20) == LEAST


@given(st.lists(st.floats(min_value=0.001, max_value=1), min_size=20, max_size=30))
def test_the_limit_stays_within_its_bounds(seconds: list[float]) -> None:
    assert LEAST <= limit([Canary(value, value) for value in seconds]) <= MOST


@pytest.mark.parametrize("spread", [0.01, 0.05, 0.2, 0.5])
def test_a_machine_that_only_varies_raises_few_alarms(spread: float) -> None:
    """Simulated: 50 memories, 400 measurements, however noisy the machine is from one round to the next."""
    random = Random(7)
    memories = [sung(random, spread) for _ in range(50)]
    expected, most = remembered(memories), limit(memories)
    alarms = sum(abs(drift(sung(random, spread), expected)) > most for _ in range(400))
    assert alarms <= 8


@pytest.mark.parametrize("spread", [0.01, 0.05, 0.2])
def test_a_machine_a_quarter_slower_is_found(spread: float) -> None:
    random = Random(11)
    memories = [sung(random, spread) for _ in range(50)]
    expected, most = remembered(memories), limit(memories)
    found = sum(abs(drift(sung(random, spread, slower=1.25), expected)) > most for _ in range(200))
    assert found >= 190
