"""Measurements of models in pods: the same protocol, asked of the machine that the pods are on."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from dynaboard.errors import PlatformFailure
from dynaboard.measurement import Measurement, hardware_profile, reference_models
from dynaboard.measurement.host import ThisMachine
from dynaboard.measurement.samplers import SamplerChoice
from dynaboard.runtime import Limits
from dynaboard.runtime.sandbox import sandbox_kind
from tests.measurement.conftest import QUICK, quickly_measured
from tests.runtime.pod.pods import PodProcess, pack, running

MIB = 1024**2
KNOWN = """
    import time

    class Handler:
        def load(self, model_dir):
            self.weights = bytes([1]) * (100 * 1024**2)

        def predict(self, examples):
            time.sleep(0.001 * len(examples))
            return [{"id": e["id"], "label": "positive"} for e in examples]
"""


@pytest.fixture(scope="module")
def pods(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PodProcess, PodProcess]]:
    """A candidate's and the reference's."""
    if sandbox_kind() != "bubblewrap":
        pytest.skip("bubblewrap does not work on this machine, and these pods stand on it")
    ours = (reference_models.FOLDER / "handler.py").read_text()
    with (
        running(pack(tmp_path_factory.mktemp("candidate"), KNOWN), Limits()) as candidate,
        running(pack(tmp_path_factory.mktemp("reference"), ours), Limits()) as reference,
    ):
        yield candidate, reference


@pytest.fixture(scope="module")
def measured(pods: tuple[PodProcess, PodProcess]) -> Measurement:
    """One quick measurement, for all tests."""
    return quickly_measured(pods[0].remote, pods[1].remote)


def test_a_model_in_a_pod_is_measured_by_the_same_protocol(measured: Measurement) -> None:
    assert QUICK.least_pairs <= len(measured.pairs) <= QUICK.most_pairs
    assert measured.throughput > 20
    assert 0.001 < measured.latency.p50 <= measured.latency.p90
    assert measured.latency.floor
    assert 0 < measured.cold_start < 30


def test_its_memory_is_read_in_its_own_pod(measured: Measurement) -> None:
    assert 100 * MIB < measured.memory.mean < 140 * MIB
    assert measured.memory.peak >= measured.memory.mean
    assert measured.memory.use.server
    assert measured.memory.use.server > 50 * MIB  # Java and the supervisor


def test_nobody_pins_it_and_the_numbers_say_so(measured: Measurement) -> None:
    assert measured.processors == ()


def test_the_machine_is_described_as_it_describes_itself(pods: tuple[PodProcess, PodProcess]) -> None:
    limits = replace(Limits(), threads=2)
    assert pods[1].remote.host.hardware(limits, None) == hardware_profile(limits)


def test_canary_and_quiet_are_heard_there(pods: tuple[PodProcess, PodProcess]) -> None:
    host = pods[1].remote.host
    canary, reading = asyncio.run(host.sing()), asyncio.run(host.reading())
    assert 0 < canary.compute_s < 1
    assert reading.at > 0
    assert (reading.total is None) == (asyncio.run(ThisMachine().reading()).total is None)
    assert host.meter() is None


def test_a_sampler_that_a_pod_does_not_have_is_the_platforms_failure(pods: tuple[PodProcess, PodProcess]) -> None:
    remote = pods[0].remote
    with pytest.raises(PlatformFailure, match="no control group of its own"):
        remote.host.sampler(remote, SamplerChoice("cgroup"), 10).begin()
    with pytest.raises(PlatformFailure, match="say where it is"):
        remote.host.sampler(remote, SamplerChoice("prometheus"), 10)


def test_a_model_in_a_pod_is_not_measured_beside_one_on_this_machine(pods: tuple[PodProcess, PodProcess]) -> None:
    with pytest.raises(PlatformFailure, match="cannot be measured beside one on this machine"):
        ThisMachine().sampler(pods[0].remote, SamplerChoice(), 10)


def test_a_machine_that_cannot_be_reached_is_the_platforms_failure() -> None:
    gone = PodProcess()
    with pytest.raises(PlatformFailure, match="does not answer"):
        asyncio.run(gone.remote.host.reading())
    gone.remove()
