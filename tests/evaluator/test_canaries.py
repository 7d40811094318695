"""A slot's canaries: what they remember, how long they wait, and what they say."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from prometheus_client import REGISTRY

from dynaboard.measurement.canary import Canary
from dynaboard.measurement.host import ThisMachine
from dynaboard.tables import Measurement as Cell
from dynaboard.tables import now
from services.evaluator.bench import Bench
from services.evaluator.canaries import Watch, recalled, watched

SLOW = {"compute_s": 1.0, "memory_s": 1.0}


def remember(bench: Bench, hardware: str, canary: dict[str, Any], days_ago: float = 0, **values: Any) -> None:
    """A throughput cell with this canary in its provenance."""
    cell = Cell(
        model_digest=f"m{days_ago}{values}", dataset_digest="d", perturbation_digest="", metric="throughput",
        metric_version="1", value=1.0, n=1, unit="examples/s", flags=[], hardware_profile=hardware,
        protocol_version="2-tiny", provenance={"canary": canary}, created_at=now() - timedelta(days=days_ago),
    )  # fmt: skip
    for name, value in values.items():
        setattr(cell, name, value)
    with bench.database.begin() as db:
        db.add(cell)


def sung(steady: bool = True, **seconds: float) -> dict[str, Any]:
    """A canary as it is stored."""
    return {"before": SLOW | seconds, "after": SLOW | seconds, "steady": steady}


async def one(bench: Bench, hardware: str, patience_s: float) -> Watch:
    """The canaries of a measurement that takes no time."""
    async with watched(bench, ThisMachine(), hardware, patience_s) as watch:
        pass
    return watch


def test_the_first_measurement_on_a_machine_is_steady(bench: Bench) -> None:
    watch = asyncio.run(one(bench, "new", 0.0))
    assert watch.steady
    assert watch.drift == 0.0
    assert watch.after is not None


def test_only_steady_canaries_of_this_machine_and_week_are_remembered(bench: Bench) -> None:
    remember(bench, "here", sung())
    remember(bench, "here", sung(compute_s=2.0), days_ago=3)
    remember(bench, "here", sung(steady=False, compute_s=9.0), days_ago=1)
    remember(bench, "here", sung(compute_s=9.0), days_ago=8)
    remember(bench, "there", sung(compute_s=9.0))
    remember(bench, "here", sung(compute_s=9.0), metric="memory")
    assert {canary.compute_s for canary in recalled(bench, "here")} == {1.0, 2.0}


def test_cells_from_before_there_were_canaries_are_passed_over(bench: Bench) -> None:
    remember(bench, "here", {})
    assert recalled(bench, "here") == []


def test_a_machine_that_drifted_is_given_time_and_then_measured_all_the_same(bench: Bench) -> None:
    remember(bench, "drifted", sung())  # a second each: no machine is so slow
    watch = asyncio.run(one(bench, "drifted", 0.2))
    assert not watch.steady
    assert watch.waited_s >= 0.2
    assert watch.drift > 1
    assert watch.described()["steady"] is False
    assert REGISTRY.get_sample_value("dynaboard_canary_drift_ratio", {"hardware_profile": "drifted"}) == watch.drift
    assert REGISTRY.get_sample_value("dynaboard_canary_limit_ratio", {"hardware_profile": "drifted"}) == watch.limit


@pytest.mark.parametrize(("after", "steady"), [(Canary(1.0, 1.05), True), (Canary(1.0, 1.3), False)])
def test_a_machine_that_drifts_while_it_measures_is_not_steady(after: Canary, steady: bool) -> None:
    watch = Watch([Canary(1.0, 1.0)] * 3, before=Canary(1.0, 1.0), waited_s=0.0, after=after)
    assert watch.steady is steady
