"""What a hardware profile tells apart."""

import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.hardware import gpus, hardware_profile
from dynaboard.runtime import Limits


def test_the_same_machine_and_limits_have_the_same_fingerprint() -> None:
    assert hardware_profile().fingerprint == hardware_profile(Limits()).fingerprint
    assert len(hardware_profile().fingerprint) == 12


@pytest.mark.parametrize(
    "changed",
    [
        {"limits": Limits(memory_bytes=1)},
        {"limits": Limits(threads=2)},
        {"cores": 64},
        {"kernel": "another"},
        {"python": "2.7"},
        {"torch": "0.1"},
        {"torchserve": "0.1"},
        {"gpus": ("one",)},
    ],
)
def test_whatever_may_change_a_cost_changes_the_fingerprint(changed: dict[str, object]) -> None:
    described = hardware_profile()
    assert replace(described, **changed).fingerprint != described.fingerprint  # type: ignore[arg-type]


def test_a_machine_without_graphics_processor_keeps_the_fingerprint_it_had_before_they_were_recorded() -> None:
    described = replace(hardware_profile(), gpus=())
    assert "gpus" not in described.description
    assert described.description == {name: value for name, value in asdict(described).items() if name != "gpus"}


def test_the_versions_are_those_of_the_python_that_runs_the_models() -> None:
    assert hardware_profile(python=Path(sys.executable)).python == hardware_profile().python
    with pytest.raises(PlatformFailure, match="does not start"):
        hardware_profile(python=Path("/nonexistent/python"))


def test_graphics_processors_are_named_with_their_driver(tmp_path: Path) -> None:
    for bus in ("0000:01:00.0", "0000:02:00.0"):
        (tmp_path / "gpus" / bus).mkdir(parents=True)
        (tmp_path / "gpus" / bus / "information").write_text("Model: \t\t NVIDIA H200\nIRQ:   \t\t 1\n")
    (tmp_path / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.1\nGCC version: 12\n")
    assert gpus(tmp_path) == ("NVIDIA H200 (NVIDIA UNIX x86_64 Kernel Module 570.1)",) * 2
    assert gpus(tmp_path / "nothing") == ()
