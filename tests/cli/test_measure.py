"""`measure`: real models in turns on this machine, and what is printed of them."""

from dataclasses import replace
from pathlib import Path

import pytest

from dynaboard.cli.cost_report import MEANINGS, costs_table, document, hardware_line, remarks, sentence
from dynaboard.cli.output import print_table
from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.canary import Canary
from dynaboard.measurement.duel import Costs, Duel
from dynaboard.measurement.energy import Energy
from dynaboard.measurement.findings import Comparison, Latency, Memory, Side
from dynaboard.measurement.hardware import hardware_profile
from dynaboard.measurement.integrity import Determinism, Speeds, speed_ratio
from dynaboard.measurement.paired import Ratio
from dynaboard.measurement.quiet import Quiet
from dynaboard.measurement.samplers import MemoryUse
from dynaboard.measurement.texts import texts
from dynaboard.nlp_tasks import TASKS
from tests.cli.conftest import Run, write_model

MIB = 1024**2
BUSY = """
class Handler:
    def load(self, model_dir):
        self.weights = bytes([1]) * ({mib} * 1024**2)

    def predict(self, examples):
        return [{{"id": e["id"], "label": self.answer(e["statement"])}} for e in examples]

    def answer(self, text):
        letters = 0
        for _ in range({rounds}):
            letters += sum(map(len, text.split()))
        return ("positive", "negative", "neutral")[letters // {rounds} % 3]
"""


def busy_model(folder: Path, rounds: int, mib: int) -> Path:
    """A model whose work and memory are known."""
    write_model(folder, "positive")
    (folder / "dynaboard.yaml").write_text((folder / "dynaboard.yaml").read_text().replace("echo", folder.name))
    (folder / "handler.py").write_text(BUSY.format(rounds=rounds, mib=mib))
    return folder


def side(rate: float) -> Side:
    """What one model costs."""
    use = MemoryUse("process-tree", ((0.0, 100 * MIB), (1.0, 100 * MIB)), 250 * MIB, "kernel")
    return Side(rate, Latency(0.004, (0.003, 0.005), 0.006, 0.0065, None, 64, None, ()), Memory(100 * MIB, use), 1.5)


def a_duel(value: float, low: float, high: float, **changed: object) -> Duel:
    """Two models whose ratio is this."""
    costs = [
        Costs(name, side(rate), "bubblewrap", Speeds(), Determinism(64, 64, 1.0, 0.95, 1.0))
        for name, rate in (("mine", 1_430.0), ("theirs", 1_000.0))
    ]
    pairs = (Pair((Block(0.0, 1.0, 1_430),), (Block(1.0, 1.0, 1_000),)),)
    quiet = Quiet(True, 0.1, 0.0, 0.0, 0.0)
    found = Comparison(Ratio(value, low, high), pairs, costs[0].side, costs[1].side, quiet, (1,), (), "full", "2")
    return Duel(replace(found, **changed), tuple(costs), Canary(1.0, 1.0), Canary(1.0, 1.0))  # type: ignore[arg-type]


# -- what is printed


def test_the_result_is_a_sentence_with_its_interval() -> None:
    said = sentence(a_duel(1.43, 1.39, 1.47))
    assert said == "mine is 1.43 times as fast as theirs, 95 % sure between 1.39 and 1.47."


def test_a_slower_model_is_a_share_as_fast() -> None:
    said = sentence(a_duel(0.0123, 0.012, 0.013))
    assert said == "mine is 0.0123 times as fast as theirs, 95 % sure between 0.012 and 0.013."


def test_a_difference_within_the_interval_is_none() -> None:
    assert sentence(a_duel(1.01, 0.98, 1.04)).startswith("Which is faster cannot be told: mine is 1.01 times")


def test_costs_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(costs_table(a_duel(1.43, 1.39, 1.47).sides))
    rows = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    shown = {row[0]: [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}
    assert shown["throughput, examples/s"] == ["1,430", "1,000"]
    assert shown["latency, median of single requests"] == ["4 ms", "4 ms"]
    assert shown["latency, 9 of 10 within"] == ["6.5 ms", "6.5 ms"]
    assert shown["memory, mean"] == ["100.0 MiB", "100.0 MiB"]
    assert shown["memory, peak"] == ["250.0 MiB", "250.0 MiB"]
    assert shown["start to ready"] == ["1.5 s", "1.5 s"]
    assert shown["same answers when timed"] == ["64 of 64", "64 of 64"]


def test_energy_has_a_row_where_it_was_counted(capsys: pytest.CaptureFixture[str]) -> None:
    mine, theirs = a_duel(1.43, 1.39, 1.47).sides
    print_table(costs_table([mine, theirs]))
    assert "energy" not in capsys.readouterr().out
    print_table(costs_table([replace(mine, energy=Energy(123.4, 120.0, 127.0, ("rapl",), ())), theirs]))
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split("  ")[0] == "energy, J for 1,000 examples"
    assert last.split()[-1] == "123"


def test_what_speaks_against_the_numbers_is_said_in_words() -> None:
    duel = a_duel(1.43, 1.39, 1.47, flags=("noisy",))
    cheat = replace(duel.sides[0], speeds=Speeds(repeated=speed_ratio([2.0] * 24)))
    lines = remarks(replace(duel, sides=(cheat, duel.sides[1])), ["drifted"])
    assert lines == [
        f"noisy: {MEANINGS['noisy']}",
        f"drifted: {MEANINGS['drifted']}",
        f"mine is cached: {MEANINGS['cached']}",
    ]


def test_the_machine_is_named_with_its_fingerprint() -> None:
    line = hardware_line(hardware_profile())
    assert hardware_profile().fingerprint in line
    assert f"{hardware_profile().cores} cores" in line


def test_the_document_holds_what_the_table_shows_and_the_pairs() -> None:
    report = document(a_duel(1.43, 1.39, 1.47), ["drifted"], hardware_profile(), "built-in")
    assert report["ratio"] == {"value": 1.43, "low": 1.39, "high": 1.47}
    assert [model["name"] for model in report["models"]] == ["mine", "theirs"]
    assert report["flags"] == ["drifted"]
    assert report["pairs"] == [[1.43, 2.0]]
    assert report["hardware"]["fingerprint"] == hardware_profile().fingerprint


# -- built-in texts


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_built_in_texts_are_the_same_everywhere_and_of_many_lengths(task: object) -> None:
    assert isinstance(task, type(TASKS["nli"]))
    made = texts(task)
    assert made == texts(task)
    assert set(made[0]) == {"id", *task.inputs}
    lengths = sorted(len(example[task.inputs[0]]) for example in made)
    assert lengths[-1] > 2.5 * lengths[0]


# -- real models


def test_two_models_are_compared_on_this_machine(dynaboard: Run, tmp_path: Path) -> None:
    quick, slow = busy_model(tmp_path / "quick", 200, 50), busy_model(tmp_path / "slow", 1600, 100)
    ran = dynaboard("measure", str(quick), "--against", str(slow), "--profile", "quick", "--json")
    report = ran.document
    assert ran.code == 0
    assert ran.err == ""
    assert 3 < report["ratio"]["value"] < 20
    assert report["ratio"]["low"] > 1
    assert [model["name"] for model in report["models"]] == ["quick", "slow"]
    small, large = (model["memory"]["mean"] for model in report["models"])
    assert large - small == pytest.approx(50 * MIB, rel=0.05)
    assert all(model["determinism"]["share"] == 1.0 for model in report["models"])
    assert "quick" in report["flags"]


def test_one_model_is_measured_beside_the_built_in_reference_on_texts_of_ones_own(
    dynaboard: Run, tmp_path: Path
) -> None:
    (tmp_path / "texts.jsonl").write_text('{"statement": "A film that none of us liked very much."}\n' * 40)
    model = busy_model(tmp_path / "busy", 50, 1)
    ran = dynaboard("measure", str(model), "--profile", "quick", "--examples", str(tmp_path / "texts.jsonl"))
    assert ran.code == 0
    assert "times as fast as the built-in reference, 95 % sure between" in ran.out
    assert "throughput, examples/s" in ran.out
    assert "hardware profile" in ran.out
    assert "Warming up …" in ran.err


def test_a_model_that_does_not_start_says_why(dynaboard: Run, model: Path) -> None:
    handler = (model / "handler.py").read_text()
    (model / "handler.py").write_text(handler.replace("print('loading echo')", "raise ValueError('no weights')"))
    ran = dynaboard("measure", str(model), "--profile", "quick")
    assert ran.code == 1
    assert "no weights" in ran.err


def test_models_of_two_tasks_are_not_compared(dynaboard: Run, model: Path, tmp_path: Path) -> None:
    other = write_model(tmp_path / "other", "entailed")
    (other / "dynaboard.yaml").write_text((other / "dynaboard.yaml").read_text().replace("sentiment", "nli"))
    ran = dynaboard("measure", str(model), "--against", str(other))
    assert ran.code == 1
    assert "only models of one task can be compared" in ran.err


def test_predictions_cannot_be_measured(dynaboard: Run, tmp_path: Path) -> None:
    (tmp_path / "predictions").mkdir()
    (tmp_path / "predictions" / "reviews.jsonl").write_text('{"id": "1", "label": "positive"}\n')
    card = "card: {summary: Guesses., licence: MIT}"
    (tmp_path / "dynaboard.yaml").write_text(f"name: guesses\ntask: sentiment\n{card}\n")
    ran = dynaboard("measure", str(tmp_path))
    assert ran.code == 1
    assert "only a model that runs can be measured" in ran.err


@pytest.mark.parametrize(
    ("line", "complaint"),
    [("{", "is not JSON"), ('{"text": "x"}', "needs the fields statement (a text)"), ("", "holds no examples")],
)
def test_examples_that_do_not_fit_are_named_by_their_line(
    dynaboard: Run, model: Path, tmp_path: Path, line: str, complaint: str
) -> None:
    (tmp_path / "texts.jsonl").write_text(line + "\n")
    ran = dynaboard("measure", str(model), "--examples", str(tmp_path / "texts.jsonl"))
    assert ran.code == 1
    assert complaint in ran.err


def test_an_unknown_profile_is_wrong_usage(dynaboard: Run, model: Path) -> None:
    ran = dynaboard("measure", str(model), "--profile", "thorough")
    assert ran.code == 2
    assert "choose one of quick, standard, full" in ran.err
