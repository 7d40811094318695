"""What the kernel says of the machine, and what is made of it where it says nothing."""

import asyncio
from dataclasses import replace

import pytest

from dynaboard.measurement.host import ThisMachine
from dynaboard.measurement.profiles import PROFILES
from dynaboard.measurement.quiet import Reading, during, heard, parsed, quiet, read

PRESSURE = "some avg10=0.36 avg60=0.88 avg300=4.12 total=3623408848\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
STAT = "cpu  1155185 9097 114939 916067 9787 0 4875 1149 77 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
CALM = Reading(at=100.0, waiting=10.0, total=1000.0, idle=900.0, steal=1.0)


def test_the_kernels_files_are_read() -> None:
    reading = parsed(5.0, PRESSURE, STAT, ticks=100)
    assert reading.waiting == pytest.approx(3623.408848)
    assert reading.idle == pytest.approx((916067 + 9787) / 100)
    assert reading.steal == pytest.approx(11.49)
    assert reading.total == pytest.approx((1155185 + 9097 + 114939 + 916067 + 9787 + 0 + 4875 + 1149) / 100)


def test_a_kernel_without_pressure_is_not_guessed_at() -> None:
    found = heard(parsed(0.0, "", STAT, 100), parsed(1.0, "", STAT, 100), 1.0)
    assert found.pressure is None
    assert found.quiet


def test_a_system_without_proc_tells_nothing() -> None:
    found = heard(parsed(0.0, "", "", 100), parsed(1.0, "", "", 100), 0.0)
    assert (found.pressure, found.steal, found.busy, found.quiet) == (None, None, None, True)


def test_an_idle_machine_is_quiet() -> None:
    later = replace(CALM, at=101.0, waiting=10.01, total=1002.0, idle=901.9)
    assert heard(CALM, later, 1.0).quiet


@pytest.mark.parametrize(
    "later",
    [
        replace(CALM, at=101.0, waiting=10.2, total=1002.0, idle=902.0),
        replace(CALM, at=101.0, total=1002.0, idle=902.0, steal=1.03),
        replace(CALM, at=101.0, total=1002.0, idle=901.0),
    ],
    ids=["somebody waits for a processor", "the hypervisor takes one", "another works on one"],
)
def test_a_machine_that_others_use_is_not_quiet(later: Reading) -> None:
    assert not heard(CALM, later, 1.0).quiet


def test_one_busy_processor_is_seen_although_nobody_waits() -> None:
    found = heard(CALM, replace(CALM, at=101.0, total=1002.0, idle=901.0), 1.0)
    assert found.busy == pytest.approx(1.0)
    assert found.pressure == 0


def test_steal_while_we_measured_counts_against_a_quiet_beginning() -> None:
    gate = heard(CALM, replace(CALM, at=101.0, total=1002.0, idle=902.0), 0.1)
    ended = replace(CALM, at=110.0, total=1020.0, idle=902.0, steal=2.0)
    assert during(gate, CALM, ended).steal_during == pytest.approx(0.05)
    assert not during(gate, CALM, ended).quiet
    assert during(gate, CALM, replace(ended, steal=1.1)).quiet


def test_the_gate_listens_here_and_goes_on_at_its_cap() -> None:
    found = asyncio.run(quiet(replace(PROFILES["quick"], listen_s=0.02, quiet_cap_s=0.05), ThisMachine().reading))
    assert 0.02 <= found.waited_s < 5
    assert read().at > 0
