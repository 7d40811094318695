"""The open loop against simulated servers: stalls are seen, the greatest rate is found."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.open_loop import arrivals, judged, next_rate
from dynaboard.measurement.statistics import quantile

SERVICE_S = 0.01


def answered(schedule: Sequence[float], stall: tuple[float, float] = (0.0, 0.0)) -> list[float]:
    """Latencies from the scheduled time: 10 ms a request, and one hang (from when, how long)."""
    free, latencies = 0.0, []
    for due in schedule:
        begun = max(free, due)
        if stall[0] <= begun < stall[0] + stall[1]:
            begun = stall[0] + stall[1]
        free = begun + SERVICE_S
        latencies.append(free - due)
    return latencies


def closed(seconds: float, stall: tuple[float, float]) -> list[float]:
    """Latencies of a client that waits for each answer before it asks again."""
    now, latencies = 0.0, []
    while now < seconds:
        ended = now + SERVICE_S + (stall[1] if stall[0] <= now < stall[0] + SERVICE_S else 0.0)
        latencies.append(ended - now)
        now = ended
    return latencies


def test_a_stall_of_two_seconds_shows_in_the_open_loop_and_not_in_the_closed() -> None:
    stall = (30.0, 2.0)
    assert quantile(closed(60, stall), 0.99) == pytest.approx(SERVICE_S)
    assert quantile(answered(arrivals(50, 3_000, "seed"), stall), 0.99) > 1.0


def test_arrivals_are_a_poisson_process_of_the_rate_and_the_same_for_a_seed() -> None:
    times = arrivals(200, 20_000, "seed")
    gaps = [later - sooner for sooner, later in pairwise(times)]
    assert times[-1] == pytest.approx(100, rel=0.03)
    assert quantile(gaps, 0.5) == pytest.approx(0.693 / 200, rel=0.05)
    assert arrivals(200, 20_000, "seed") == times
    assert arrivals(200, 20_000, "another") != times


def test_the_greatest_rate_is_found() -> None:
    probes = []
    for number in range(7):
        rate = next_rate(probes, alone=1 / SERVICE_S)
        probes.append(judged(rate, answered(arrivals(rate, round(rate * 30), str(number))), objective_s=0.1))
    best = max(probe.rate for probe in probes if probe.held)
    # M/D/1: at 100/s it is overloaded; p95 of the wait reaches 0.1 s at about nine tenths of that.
    assert 78 < best < 97


@given(st.floats(0.1, 10_000))
def test_a_model_slower_than_the_objective_is_asked_ever_less(alone: float) -> None:
    probes = []
    for _ in range(5):
        rate = next_rate(probes, alone)
        probes.append(judged(rate, [1.0] * 100, objective_s=0.1))
    rates = [probe.rate for probe in probes]
    assert rates == sorted(rates, reverse=True)
    assert not any(probe.held for probe in probes)


def test_a_request_without_an_answer_counts_as_too_late() -> None:
    lost = [0.01] * 93 + [float("inf")] * 7
    probe = judged(100, lost, objective_s=0.1)
    assert not probe.held
    assert probe.p95_upper is None


def test_too_few_requests_hold_nothing() -> None:
    assert not judged(10, [0.001] * 58, objective_s=0.1).held
    assert judged(10, [0.001] * 59, objective_s=0.1).held
