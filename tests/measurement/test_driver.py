"""A real model measured: the figures must agree with what the model is known to do."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from dynaboard.measurement import PROFILES, Measurement, hardware_profile, measure
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Limits, Predictor, start_server

MIB = 1024**2
# 1 ms an example, 50 MiB held, and 150 MiB more for a moment in every batch: too short for a sampler at 20 Hz to catch.
KNOWN = """
import mmap, time

class Handler:
    def load(self, model_dir):
        self.weights = bytes([1]) * (50 * 1024**2)

    def predict(self, examples):
        time.sleep(0.001 * len(examples))
        if len(examples) == 16:
            with mmap.mmap(-1, 150 * 1024**2, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as passing:
                passing.madvise(14)  # huge pages, so that touching them takes no time
                for page in range(0, len(passing), 4096 * 8):
                    passing[page] = 1
        return [{"id": e["id"], "label": "positive"} for e in examples]
"""
EXAMPLES = [{"id": str(n), "statement": "word " * (n % 50)} for n in range(200)]


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measurement]:
    """One quick measurement for all tests."""
    folder: Path = tmp_path_factory.mktemp("known")
    (folder / "handler.py").write_text(KNOWN)
    server = start_server(folder, "handler.py:Handler", folder / "run", Limits())

    async def run() -> Measurement:
        async with Predictor(server, TASKS["sentiment"], 10) as predictor:
            return await measure(server, predictor, EXAMPLES, 16, PROFILES["quick"])

    yield asyncio.run(run())
    server.discard()


def test_throughput_is_what_the_model_can_do(measured: Measurement) -> None:
    low, high = measured.throughput_interval
    assert 200 < low <= measured.throughput <= high < 1_000


def test_blocks_follow_one_another_and_hold_whole_passes(measured: Measurement) -> None:
    assert 6 <= len(measured.blocks) <= 9
    assert all(block.examples % 64 == 0 for block in measured.blocks)
    assert all(block.seconds >= PROFILES["quick"].block_s for block in measured.blocks)
    for sooner, later in pairwise(measured.blocks):
        assert later.start_s >= sooner.start_s + sooner.seconds


def test_latency_is_that_of_single_requests(measured: Measurement) -> None:
    assert measured.requests >= 64
    assert measured.p90_upper
    assert 0.001 < measured.p50 <= measured.p90 <= measured.p90_upper < 0.5
    assert measured.p50_interval[0] <= measured.p50 <= measured.p50_interval[1]


def test_memory_is_sampled_ten_times_a_second_over_the_blocks(measured: Measurement) -> None:
    times = [time for time, _ in measured.memory_samples]
    assert times == sorted(times)
    assert len(times) / times[-1] >= 10


def test_memory_holds_the_weights_but_not_torchserve(measured: Measurement) -> None:
    assert 60 * MIB < measured.memory_mean < 240 * MIB


def test_the_peak_catches_what_samples_miss(measured: Measurement) -> None:
    assert 210 * MIB < measured.memory_peak < 300 * MIB


def test_the_cold_start_stands_apart(measured: Measurement) -> None:
    assert 0.1 < measured.cold_start < 30


def test_a_quick_measurement_says_so(measured: Measurement) -> None:
    assert "quick" in measured.flags
    assert (measured.profile, measured.protocol_version) == ("quick", "1")


def test_a_hardware_profile_is_told_apart_by_anything_in_it() -> None:
    here = hardware_profile()
    assert here == hardware_profile()
    assert here.cores >= 1
    assert here.memory_gib >= 1
    assert here.torchserve
    assert here.fingerprint == hardware_profile(Limits()).fingerprint
    assert here.fingerprint != hardware_profile(Limits(threads=2)).fingerprint
