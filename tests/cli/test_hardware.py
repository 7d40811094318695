"""The machines that costs were measured on, in a terminal."""

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("account")


def test_machines_are_listed_with_models_rating_and_canary(dynaboard: Run) -> None:
    lines = dynaboard("hardware").out.splitlines()
    assert lines[1].split("  ")[0] == "3f2a9c0d5b7e"
    assert "A quick one, 2 cores, 24 GiB, 1 thread(s) and 4 GiB a model" in lines[1]
    assert "1,234 [1,200, 1,260] (2-full)" in lines[1]
    assert lines[1].endswith("drifted, -12.0% of ±10% on 2026-01-02")
    assert lines[2].split() == ["0123456789ab", "0", "Another,", "?", "cores,", "?", "GiB"]


def test_machines_of_a_task_come_as_json(dynaboard: Run) -> None:
    (found,) = dynaboard("hardware", "--task", "nli", "--json").document
    assert (found["fingerprint"], found["models"]) == ("3f2a9c0d5b7e", 7)
