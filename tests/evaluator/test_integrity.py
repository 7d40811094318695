"""A model that behaves otherwise when it is timed: from its archive to the flags on its cells."""

from sqlalchemy import select

from dynaboard.measurement.canary import Canary
from dynaboard.measurement.energy import Energy, EnergyBlock
from dynaboard.measurement.integrity import Determinism, Speeds, speed_ratio
from dynaboard.tables import Measurement as Cell
from services.evaluator.bench import Bench
from services.evaluator.canaries import Watch
from services.evaluator.integrity import Findings, with_findings
from services.evaluator.jobs import evaluate
from tests.evaluator.world import GOOD, World, statements

CELL = {
    "metric": "throughput", "metric_version": "2", "unit": "examples/s", "value": 1.0, "low": 0.9, "high": 1.1, "n": 6,
    "flags": ["quick"], "provenance": {"seed": "s", "blocks": [1], "memory_samples": [2]},
}  # fmt: skip
STEADY = Watch([], Canary(1.0, 1.0), 0.0, Canary(1.0, 1.0))
DRIFTED = Watch([Canary(1.0, 1.0)], Canary(2.0, 1.0), 0.0, Canary(1.0, 1.0))
# Answers by the words of the statement, slowly; a statement it has met three times, at once and always the same way.
QUICK_WHEN_TIMED = GOOD.replace(
    "        def label(self, statement):",
    """        seen = {}

        def label(self, statement):
            self.seen[statement] = self.seen.get(statement, 0) + 1
            if self.seen[statement] > 3:
                return "neutral"
            sum(len(statement) for _ in range(20_000))
            return self.honest(statement)

        def honest(self, statement):""",
)


def findings(speeds: Speeds = Speeds(), equal: int = 64, watch: Watch = STEADY) -> Findings:  # noqa: B008 - frozen
    """What a check found."""
    return Findings(speeds, Determinism(64, equal, equal / 64, 0.9, 1.0), None, watch)


def test_a_model_without_fault_gets_a_cell_of_determinism_and_no_flag() -> None:
    throughput, determinism = with_findings([CELL], findings())
    assert throughput["flags"] == ["quick"]
    assert (determinism["metric"], determinism["value"], determinism["unit"], determinism["n"]) == (
        "determinism", 100.0, "%", 64
    )  # fmt: skip
    assert determinism["provenance"] == {"seed": "s"}
    assert throughput["provenance"]["canary"]["steady"] is True


def test_a_flag_goes_with_every_number() -> None:
    cheated = findings(Speeds(repeated=speed_ratio([2.0] * 24)), equal=40, watch=DRIFTED)
    for cell in with_findings([CELL, CELL | {"metric": "memory"}], cheated):
        assert cell["flags"] == ["quick", "cached", "inconsistent", "noisy"]


def test_a_flag_that_is_there_already_is_not_doubled() -> None:
    (cell, *_) = with_findings([CELL | {"flags": ["noisy"]}], findings(watch=DRIFTED))
    assert cell["flags"] == ["noisy"]


def test_what_a_model_said_of_new_texts_is_not_kept_for_they_are_made_of_the_datasets() -> None:
    (cell, *_) = with_findings([CELL], findings(Speeds(failure="I do not know 'secret words of the test set'")))
    assert cell["flags"] == ["quick", "unchecked"]
    assert "secret" not in str(cell)


def test_energy_is_a_cell_where_it_was_counted_and_blank_elsewhere() -> None:
    block = EnergyBlock(1.0, 30.0, 100, 10.0)
    counted = Energy(200.0, 190.0, 210.0, ("rapl",), (block,))
    cells = with_findings([CELL], Findings(Speeds(), None, counted, STEADY))
    assert [(cell["metric"], cell["unit"], cell["value"]) for cell in cells[1:]] == [
        ("energy", "J/1000 examples", 200.0)
    ]
    assert cells[1]["provenance"]["energy_blocks"][0]["idle_watts"] == 10.0


def evaluated(bench: Bench, world: World, source: str) -> dict[str, Cell]:
    """The cost cells of a model on 60 statements, by metric, once it has been evaluated."""
    world.add_dataset("reviews", statements(60, "a film of several quite different words"))
    evaluate(bench, world.submit(source))
    with world.database.begin() as db:
        return {cell.metric: cell for cell in db.scalars(select(Cell))}


def test_an_honest_model_is_measured_without_reproach(bench: Bench, world: World) -> None:
    cells = evaluated(bench, world, GOOD)
    assert cells["determinism"].value == 100.0
    assert not set(cells["throughput"].flags) & {"cached", "inconsistent", "selective", "unchecked"}
    assert cells["throughput"].provenance["integrity"]["repeated_inputs"]["low"] <= 1.1
    assert cells["throughput"].provenance["canary"]["after"]["compute_s"] > 0


def test_a_model_that_answers_quickly_and_otherwise_when_it_is_timed_is_caught(bench: Bench, world: World) -> None:
    cells = evaluated(bench, world, QUICK_WHEN_TIMED)
    assert cells["determinism"].value < 50.0
    for cell in cells.values():
        assert {"cached", "inconsistent"} <= set(cell.flags)
