"""From a measurement to cells: units, flags, and that a result lands once."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from dynaboard.measurement import Measurement, hardware_profile
from dynaboard.measurement.plan import Block
from dynaboard.runtime.limits import GIB
from dynaboard.tables import HardwareProfile
from dynaboard.tables import Measurement as Cell
from services.evaluator.bench import Bench
from services.evaluator.cost import cells_of, finish, spread
from services.evaluator.plan import make_plan
from tests.evaluator.world import GOOD, World, statements

MEASURED = Measurement(
    throughput=250.0, throughput_interval=(240.0, 260.0), p50=0.004, p50_interval=(0.003, 0.005), p90=0.008,
    p90_upper=0.009, memory_mean=0.5 * GIB, memory_peak=GIB, cold_start=1.5, blocks=(Block(0.0, 0.2, 50),),
    memory_samples=((0.0, GIB), (0.1, 0)), requests=64, flags=("quick",), profile="quick", protocol_version="1",
)  # fmt: skip
KEY = {"model_digest": "m", "dataset_digest": "d", "hardware_profile": "h", "protocol_version": "1-quick"}


def test_each_metric_is_a_cell_with_its_unit_interval_and_count() -> None:
    cells = cells_of(MEASURED, {"seed": 1}, "bubblewrap")
    shown = {cell["metric"]: (cell["value"], cell["low"], cell["high"], cell["unit"], cell["n"]) for cell in cells}
    assert shown == {
        "throughput": (250.0, 240.0, 260.0, "examples/s", 1),
        "memory": (0.5, None, None, "GiB", 2),
        "memory_peak": (1.0, None, None, "GiB", 2),
        "latency_p50": (4.0, 3.0, 5.0, "ms", 64),
        "latency_p90": (8.0, None, 9.0, "ms", 64),
        "cold_start": (1.5, None, None, "s", 1),
    }
    assert cells[0]["provenance"]["blocks"] == [{"start_s": 0.0, "seconds": 0.2, "examples": 50}]
    assert cells[1]["provenance"] == {"seed": 1}


@pytest.mark.parametrize(("sandbox", "flags"), [("bubblewrap", ["quick"]), ("limits", ["quick", "unsandboxed"])])
def test_numbers_from_outside_the_sandbox_say_so(sandbox: str, flags: list[str]) -> None:
    assert all(cell["flags"] == flags for cell in cells_of(MEASURED, {}, sandbox))


def test_a_result_lands_once(bench: Bench, world: World) -> None:
    dataset = world.add_dataset("reviews", statements(3))
    submission = world.submission(world.submit(GOOD, queue=False))
    (unit,) = make_plan(bench.database, submission, [dataset])
    for measured in (MEASURED, replace(MEASURED, throughput=1.0)):
        finish(bench, unit, hardware_profile(), [KEY | cell for cell in cells_of(measured, {}, "bubblewrap")])
    with bench.database.begin() as db:
        assert db.scalars(select(Cell.value).where(Cell.metric == "throughput")).all() == [250.0]
        assert len(db.scalars(select(Cell)).all()) == 6
        assert len(db.scalars(select(HardwareProfile)).all()) == 1
    assert world.evaluations(submission.id)["reviews"].status == "finished"


def test_inputs_are_drawn_evenly_from_the_whole_dataset() -> None:
    ids = [example["id"] for example in spread(statements(10), 10, 4)]
    assert ids == ["x0", "x3", "x6", "x9"]
