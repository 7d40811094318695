"""From a measurement to cells: units, flags, and that a result lands once. And the reference beside it."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from dynaboard.errors import PlatformFailure
from dynaboard.measurement import Measurement, hardware_profile
from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.findings import Latency, Memory, Window
from dynaboard.measurement.open_loop import OpenLoop, Probe
from dynaboard.measurement.paired import Ratio
from dynaboard.measurement.quiet import Quiet
from dynaboard.measurement.reference import connected
from dynaboard.measurement.rest import Rest
from dynaboard.measurement.samplers import MemoryUse
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import ModelServer
from dynaboard.runtime.limits import GIB
from dynaboard.tables import HardwareProfile, ReferenceRating
from dynaboard.tables import Measurement as Cell
from services.evaluator import reference_server
from services.evaluator.bench import Bench
from services.evaluator.cost import finish, spread
from services.evaluator.cost_cells import Circumstances, cells_of
from services.evaluator.plan import make_plan
from services.evaluator.ratings import with_rating
from services.scoring.block_costs import Blocks
from tests.evaluator.conftest import TINY
from tests.evaluator.world import GOOD, World, statements, wait_until

MEASURED = Measurement(
    ratio=Ratio(2.5, 2.4, 2.6), rating=100.0,
    pairs=(Pair((Block(0.0, 0.2, 50),), (Block(0.2, 0.2, 20),)), Pair((Block(0.6, 0.2, 50),), (Block(0.4, 0.2, 20),))),
    latency=Latency(
        p50=0.004, p50_interval=(0.003, 0.005), p90=0.008, p90_upper=0.009, p99=None, requests=64, floor=0.001,
        course=(Window(0.0, 0.004, 0.005), Window(0.128, 0.003, 0.25)),
    ),
    open_loop=OpenLoop(200.0, 0.1, (Probe(200.0, 60, 0.004, 0.01, 0.02, True),)),
    memory=Memory(0.5 * GIB, MemoryUse("process-tree", ((0.0, GIB), (0.1, 0)), GIB, "kernel", 2.0)),
    cold_start=1.5, rest=Rest(0.4, 0.4, 0.4), quiet=Quiet(True, 0.1, 0.0, 0.0, 0.0, 0.0), processors=(1,),
    flags=("quick", "harness"), profile="quick", protocol_version="2",
)  # fmt: skip
KEY = {"model_digest": "m", "dataset_digest": "d", "hardware_profile": "h", "protocol_version": "2-quick"}


def cells(measured: Measurement = MEASURED, sandbox: str = "bubblewrap") -> dict[str, dict[str, Any]]:
    """The cells of a measurement by metric."""
    found = cells_of(measured, Circumstances(hardware_profile(), sandbox, 16))
    return {cell["metric"]: cell for cell in found}


def test_each_metric_is_a_cell_with_its_unit_interval_and_count() -> None:
    shown = {
        name: (cell["value"], cell["low"], cell["high"], cell["unit"], cell["n"]) for name, cell in cells().items()
    }
    assert shown == {
        "throughput": (250.0, 240.0, 260.0, "examples/s", 2),
        "memory": (0.5, None, None, "GiB", 2),
        "memory_peak": (1.0, None, None, "GiB", 2),
        "latency_p50": (4.0, 3.0, 5.0, "ms", 64),
        "latency_p90": (8.0, None, 9.0, "ms", 64),
        "server_rate": (200.0, None, None, "requests/s", 60),
        "cold_start": (1.5, None, None, "s", 1),
    }


def test_what_cannot_be_told_has_no_cell() -> None:
    long = replace(MEASURED.latency, p99=0.05)
    assert cells(replace(MEASURED, latency=long))["latency_p99"]["value"] == 50.0
    assert "server_rate" not in cells(replace(MEASURED, open_loop=OpenLoop(None, 0.1, ())))


def test_every_block_of_candidate_and_reference_is_kept() -> None:
    provenance = cells()["throughput"]["provenance"]
    assert provenance["blocks"][:2] == [
        {"pair": 0, "model": "candidate", "start_s": 0.0, "seconds": 0.2, "examples": 50},
        {"pair": 0, "model": "reference", "start_s": 0.2, "seconds": 0.2, "examples": 20},
    ]
    assert len(provenance["blocks"]) == 4
    assert (provenance["profile"], provenance["protocol"], provenance["rating"]) == ("quick", "2", 100.0)
    assert provenance["quiet"]["pressure"] == 0.0
    assert "blocks" not in cells()["memory"]["provenance"]


def test_how_latency_went_is_kept_once_in_milliseconds() -> None:
    kept = {name: cell["provenance"].get("course_ms") for name, cell in cells().items()}
    assert kept.pop("latency_p50") == [[0.0, 4.0, 5.0], [0.128, 3.0, 250.0]]
    assert set(kept.values()) == {None}


def test_scoring_finds_the_paired_rates_in_the_cell() -> None:
    found = Blocks.of(cells()["throughput"]["provenance"])
    assert found.rates == (250.0, 250.0)
    assert found.memory == (0.5,)
    assert found.between_runs == 0.012


@pytest.mark.parametrize(("sandbox", "flags"), [("bubblewrap", ["quick"]), ("limits", ["quick", "unsandboxed"])])
def test_numbers_from_outside_the_sandbox_say_so(sandbox: str, flags: list[str]) -> None:
    assert cells(sandbox=sandbox)["memory"]["flags"] == flags


def test_a_heavy_harness_is_said_of_latencies_alone() -> None:
    flagged = {name for name, cell in cells().items() if "harness" in cell["flags"]}
    assert flagged == {"latency_p50", "latency_p90", "server_rate"}


def test_a_result_lands_once(bench: Bench, world: World) -> None:
    dataset = world.add_dataset("reviews", statements(3))
    submission = world.submission(world.submit(GOOD, queue=False))
    (unit,) = make_plan(bench.database, submission, [dataset])
    for measured in (MEASURED, replace(MEASURED, rating=1.0)):
        finish(bench, unit, hardware_profile(), [KEY | cell for cell in cells(measured).values()])
    with bench.database.begin() as db:
        assert db.scalars(select(Cell.value).where(Cell.metric == "throughput")).all() == [250.0]
        assert len(db.scalars(select(Cell)).all()) == 7
        assert len(db.scalars(select(HardwareProfile)).all()) == 1
    assert world.evaluations(submission.id)["reviews"].status == "finished"


def test_inputs_are_drawn_evenly_from_the_whole_dataset() -> None:
    ids = [example["id"] for example in spread(statements(10), 10, 4)]
    assert ids == ["x0", "x3", "x6", "x9"]


@pytest.fixture
def resting(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """An evaluator whose reference is stopped as soon as it is not needed."""
    monkeypatch.setattr(reference_server, "IDLE_S", 0.0)
    return bench


def test_the_reference_is_rated_once_and_the_rating_stays(bench: Bench) -> None:
    async def rating() -> float:
        async with connected(bench.reference.ready(bench.here), TASKS["qa"]) as beside:
            return (await with_rating(bench, beside, "hardware", "2-tiny", TINY)).rating

    first = asyncio.run(rating())
    assert first > 0
    assert asyncio.run(rating()) == first
    with bench.database.begin() as db:
        (row,) = db.scalars(select(ReferenceRating)).all()
    assert (row.hardware_profile, row.protocol_version, row.value) == ("hardware", "2-tiny", first)
    assert row.low <= row.value <= row.high
    assert len(row.provenance["blocks"]) >= 3


def test_one_reference_serves_measurement_after_measurement_and_is_stopped_when_idle(resting: Bench) -> None:
    server = resting.reference.ready(resting.here)
    assert resting.reference.ready(resting.here) is server
    resting.reference.rest(resting.here)
    wait_until(lambda: not list((resting.settings.data_dir / "reference").iterdir()), 10)
    assert not server.alive()
    assert resting.reference.ready(resting.here).alive()


def test_a_reference_that_fails_is_our_fault_and_the_next_measurement_gets_another(bench: Bench) -> None:
    async def asked(work: object) -> ModelServer:
        async with bench.reference.serving(bench.here) as server, connected(server, TASKS["sentiment"]) as beside:
            await beside.echo.predict([{"id": "1", "statement": "well"}])
            await beside.worker.predict([{"id": "1", "work": work}])
        return server

    first = asyncio.run(asked("some words"))
    with pytest.raises(PlatformFailure, match=r"The reference model failed: Handler.predict\(\) raised AttributeError"):
        asyncio.run(asked(7))  # no text
    assert not first.alive()
    assert asyncio.run(asked("some words")) is not first
