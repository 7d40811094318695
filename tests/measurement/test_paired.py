"""Does the interval keep its promise? Simulated runs with noise as it was seen, and the stopping rule at work."""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.paired import BETWEEN_RUNS, enough, estimate, noisy, ratio_of
from dynaboard.measurement.profiles import PROFILES

STANDARD = PROFILES["standard"]
RUNS = 400
Noise = Callable[[np.random.Generator, int], np.ndarray]


def normal(random: np.random.Generator, count: int) -> np.ndarray:
    """What is left of a machine with many small disturbances."""
    return random.normal(0, 1, count)


def bursts(random: np.random.Generator, count: int) -> np.ndarray:
    """Calm and busy times that last for several pairs."""
    changes = random.random(count) < 0.15
    busy = np.logical_xor.accumulate(changes)
    return random.normal(0, 1, count) * np.where(busy, 2.0, 0.3)


def slowdowns(random: np.random.Generator, count: int) -> np.ndarray:
    """Now and then one side alone is held up for long."""
    held_up = [(random.random(count) < 0.1) * random.exponential(3, count) for _ in range(2)]
    return random.normal(0, 0.5, count) + held_up[0] - held_up[1]


def drift(random: np.random.Generator, count: int) -> np.ndarray:
    """What is slow to change in the ratio itself; its neighbours resemble one another a little."""
    noise = random.normal(0, 1, count)
    for place in range(1, count):
        noise[place] = 0.2 * noise[place - 1] + math.sqrt(1 - 0.2**2) * noise[place]
    return noise


def pair_of(ratio: float) -> Pair:
    """A pair that shows this ratio, of half a second."""
    return Pair((Block(0.0, 0.25, 1),), (Block(0.0, 0.25 * ratio, 1),))


def run(random: np.random.Generator, noise: Noise, size: float) -> tuple[float, bool, int]:
    """One measurement of a model as fast as the reference: (its ratio, whether the interval holds 1, pairs)."""
    luck = random.normal(0, BETWEEN_RUNS)
    ratios = np.exp(noise(random, STANDARD.most_pairs) * size + luck)
    pairs: list[Pair] = []
    while not enough(pairs, STANDARD):
        pairs.append(pair_of(ratios[len(pairs)]))
    told = ratio_of(pairs)
    return told.value, told.low <= 1 <= told.high, len(pairs)


@pytest.mark.parametrize("noise", [normal, bursts, slowdowns, drift])
@pytest.mark.parametrize("size", [0.01, 0.03, 0.06, 0.1])
def test_the_interval_covers_whatever_the_noise_and_although_it_stops_when_it_likes(noise: Noise, size: float) -> None:
    random = np.random.default_rng(7)
    covered = sum(run(random, noise, size)[1] for _ in range(RUNS))
    assert covered >= 0.935 * RUNS  # 95 %, less what chance takes of 400 runs


@pytest.mark.parametrize(("size", "most"), [(0.03, 0.015), (0.1, 0.03)])
def test_ratios_of_one_model_lie_within_what_was_promised(size: float, most: float) -> None:
    random = np.random.default_rng(8)
    values = [run(random, normal, size)[0] for _ in range(1_000)]  # of 200, chance alone moves the deviation by 5 %
    assert np.std(values) / np.mean(values) <= most


def test_a_calm_machine_needs_the_fewest_pairs_and_a_bad_one_all() -> None:
    random = np.random.default_rng(9)
    assert run(random, normal, 0.001)[2] == STANDARD.least_pairs
    assert run(random, normal, 0.5)[2] == STANDARD.most_pairs


def test_models_five_percent_apart_are_told_apart_in_nineteen_of_twenty_runs() -> None:
    random = np.random.default_rng(10)
    right = sum(run(random, normal, 0.04)[0] * 1.05 > run(random, normal, 0.04)[0] for _ in range(RUNS))
    assert right >= 0.95 * RUNS


@given(st.lists(st.floats(0.1, 10), min_size=1))
def test_the_value_lies_in_its_interval_which_is_never_nothing(ratios: list[float]) -> None:
    told = estimate(ratios)
    assert told.low < told.value < told.high
    assert told.half_width >= 1.9 * BETWEEN_RUNS


@given(st.lists(st.floats(0.1, 10), min_size=1), st.floats(0.01, 100))
def test_the_unit_does_not_matter(ratios: list[float], unit: float) -> None:
    told, scaled = estimate(ratios), estimate([ratio * unit for ratio in ratios])
    assert (scaled.value, scaled.low, scaled.high) == pytest.approx(
        (told.value * unit, told.low * unit, told.high * unit)
    )


def test_fewer_than_six_pairs_are_noisy_whatever_they_say() -> None:
    assert noisy([1.0] * 5, 0.03)
    assert not noisy([1.0] * 6, 0.03)


def test_pairs_end_when_their_time_is_used_up() -> None:
    slow = [Pair((Block(0.0, 200.0, 64),), (Block(0.0, 1.0, 64),))] * 3
    assert not enough(slow[:2], STANDARD)
    assert enough(slow, STANDARD)


def test_the_interval_is_looked_at_ever_more_rarely() -> None:
    endless = replace(STANDARD, most_pairs=10_000, pairs_cap_s=math.inf)
    stops = [count for count in range(1, 400) if enough([pair_of(1.0)] * count, endless)]
    assert stops[0] == STANDARD.least_pairs
    assert all(later >= 1.3 * sooner for sooner, later in pairwise(stops))
