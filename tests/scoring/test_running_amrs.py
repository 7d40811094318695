"""A board kept up to date landing by landing has the AMRS of one computed from nothing."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring import gap_sums
from services.scoring.amrs import amrs, kept_pairs
from services.scoring.board import FloatArray
from services.scoring.method import Epsilon, EpsilonMode
from services.scoring.running_amrs import Rates, RunningAmrs

METRICS = 3
# Few distinct values make ties; steps about the size of the threshold make pairs that come and go with the maximum.
BASE = st.one_of(
    st.integers(0, 3).map(float),
    st.integers(0, 40).map(lambda step: 80 + step * 0.002),
    st.floats(-1e6, 1e6),
)
GOODS = st.tuples(BASE, st.floats(-1e6, 1e6), st.integers(-2, 2).map(float)).map(np.array)
EPSILONS = st.builds(Epsilon, st.sampled_from(EpsilonMode), st.sampled_from([0.0, 1e-4, 0.02, 1.0]))
CHANGES = st.lists(st.tuples(st.sampled_from("abcdefghijklmnop"), st.one_of(st.none(), GOODS)), max_size=60)


def whole(models: Mapping[str, FloatArray], base: int, epsilon: Epsilon) -> Rates:
    """The full recomputation, as the leaderboard does it."""
    names = sorted(models)
    goods = np.array([models[name] for name in names]).reshape(-1, METRICS)
    goods = goods[np.lexsort((np.arange(len(names)), -goods[:, base]))]
    threshold = epsilon.threshold(goods[:, base])
    kept = kept_pairs(goods[:, base], threshold)
    return Rates(amrs(goods, base, kept), int(kept.sum()), threshold)


def assert_same(found: Rates, expected: Rates) -> None:
    assert (found.kept_pairs, found.threshold) == (expected.kept_pairs, expected.threshold)
    np.testing.assert_allclose(found.values, expected.values, rtol=1e-9, atol=0)


@given(changes=CHANGES, epsilon=EPSILONS, base=st.integers(0, METRICS - 1), start=st.integers(0, 20))
def test_any_landings_changes_and_departures_give_what_a_full_recomputation_gives(
    changes: list[tuple[str, FloatArray | None]], epsilon: Epsilon, base: int, start: int
) -> None:
    models = {name: goods for name, goods in changes[:start] if goods is not None}
    running = RunningAmrs(tuple(models), np.array(list(models.values())).reshape(-1, METRICS), base, epsilon)
    assert_same(running.rates(), whole(models, base, epsilon))
    for name, goods in changes[start:]:
        if goods is not None:
            running.land(name, goods)
            models[name] = goods
        elif name in models:
            running.leave(name)
            del models[name]
        assert_same(running.rates(), whole(models, base, epsilon))


@pytest.mark.parametrize("mode", EpsilonMode)
def test_thousands_of_changes_leave_no_rounding_behind(mode: EpsilonMode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gap_sums, "BLOCK", 8)  # so that blocks split and vanish all the time
    random = np.random.default_rng(1)
    names = [f"m{number:03}" for number in range(300)]
    epsilon, running, models = Epsilon(mode), RunningAmrs((), np.empty((0, METRICS)), 0, Epsilon(mode)), {}
    for _ in range(3_000):
        name = names[random.integers(len(names))]
        if name in models and random.random() < 0.4:
            running.leave(name)
            del models[name]
        else:
            # gaps of 1e-12 beside gaps of 10: slopes 13 orders of magnitude apart
            models[name] = random.uniform(0, 100, METRICS) if random.random() < 0.7 else np.array([50, 1e3, 7.0])
            models[name][0] += random.integers(0, 3) * 1e-12
            running.land(name, models[name])
    assert_same(running.rates(), whole(models, 0, epsilon))


def test_a_new_best_model_moves_the_relative_threshold_over_pairs_it_does_not_touch() -> None:
    goods = np.array([[50.0, 1, 0], [49.994, 9, 0], [40, 2, 0]])
    running = RunningAmrs(("a", "b", "c"), goods, 0, Epsilon())
    assert running.rates().kept_pairs == 2
    running.land("best", np.array([90.0, 1, 0]))
    assert running.rates().kept_pairs == 2, "0.006 is less than a ten-thousandth of 90, so a and b no longer count"
    running.leave("best")
    assert running.rates().kept_pairs == 2


def test_who_is_not_there_cannot_leave() -> None:
    with pytest.raises(KeyError):
        RunningAmrs((), np.empty((0, METRICS)), 0, Epsilon()).leave("nobody")
