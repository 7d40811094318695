"""A measurement on a drifted machine is made again, and the steadiest attempt counts."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from dynaboard.measurement import PROFILES, hardware_profile
from dynaboard.measurement.canary import Canary
from dynaboard.measurement.integrity import Speeds
from dynaboard.tables import Measurement as Cell
from services.evaluator.attempts import Attempt, cells_of_steadiest, is_repeated, steadiest
from services.evaluator.bench import Bench
from services.evaluator.canaries import Watch
from services.evaluator.cost_cells import Circumstances
from services.evaluator.integrity import Findings
from tests.evaluator.conftest import TINY
from tests.evaluator.test_canaries import remember, sung
from tests.evaluator.test_cost import MEASURED
from tests.evaluator.world import GOOD, World, statements

USUAL = Canary(1.0, 1.0)
SLOWNESSES = st.lists(st.floats(0.5, 2.0), min_size=1, max_size=4)


def attempt(slowness: float, rating: float = 100.0) -> Attempt:
    """A measurement on a machine whose canary takes so many times as long as usual afterwards."""
    watch = Watch([USUAL], before=USUAL, waited_s=0.0, after=Canary(slowness, slowness))
    return Attempt(replace(MEASURED, rating=rating), Findings(Speeds(), None, None, watch))


@pytest.mark.parametrize(
    ("slownesses", "repeats", "repeated"),
    [([1.0], 1, False), ([1.5], 1, True), ([1.5], 0, False), ([1.5, 1.5], 1, False), ([1.5, 1.0], 2, False)],
)
def test_it_is_repeated_while_the_machine_is_off_and_the_profile_allows(
    slownesses: list[float], repeats: int, repeated: bool
) -> None:
    assert is_repeated([attempt(slowness) for slowness in slownesses], repeats) is repeated


@given(SLOWNESSES)
def test_a_steady_attempt_counts_wherever_there_is_one(slownesses: list[float]) -> None:
    attempts = [attempt(slowness) for slowness in slownesses]
    kept = steadiest(attempts)
    assert kept.findings.watch.steady is any(each.findings.watch.steady for each in attempts)
    assert kept.unsteadiness == min(each.unsteadiness for each in attempts)


def test_the_throughput_tells_of_every_attempt_and_is_flagged_only_for_the_one_that_counts() -> None:
    attempts = [attempt(1.5, rating=50.0), attempt(1.0, rating=100.0)]
    cells = cells_of_steadiest(attempts, Circumstances(hardware_profile(), "bubblewrap", 16))
    told = {cell["metric"]: cell["provenance"].get("attempts") for cell in cells}
    throughput = next(cell for cell in cells if cell["metric"] == "throughput")
    assert (throughput["value"], "noisy" in throughput["flags"]) == (250.0, False)
    assert [(each["throughput"], each["steady"], each["counts"]) for each in told.pop("throughput") or ()] == [
        (125.0, False, False),
        (250.0, True, True),
    ]
    assert set(told.values()) == {None}


def test_a_model_on_a_drifted_machine_is_measured_twice(
    bench: Bench, world: World, work: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PROFILES, TINY.name, replace(TINY, repeats=1))
    here = hardware_profile(bench.settings.limits, bench.settings.runtime_python).fingerprint
    remember(bench, here, sung())  # a second each: no machine is so slow
    world.add_dataset("reviews", statements(20))
    world.submit(GOOD)
    work()
    with bench.database.begin() as db:
        found = db.scalars(select(Cell).where(Cell.metric == "throughput", Cell.dataset_digest != "d")).one()
    assert [each["steady"] for each in found.provenance["attempts"]] == [False, False]
    assert sum(each["counts"] for each in found.provenance["attempts"]) == 1
    assert "noisy" in found.flags
