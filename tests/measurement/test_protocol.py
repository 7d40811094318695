"""Real models measured: the figures must agree with what the models are known to do."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

import pytest

from dynaboard.measurement import Comparison, Endpoint, Measurement, compare, reference_models
from dynaboard.measurement.blocks import rate
from dynaboard.measurement.latency import latency
from dynaboard.measurement.open_loop import arrivals, judged, latencies
from dynaboard.measurement.statistics import quantile
from dynaboard.measurement.subject import Subject
from dynaboard.runtime import Limits, ModelServer, Predictor
from tests.measurement.conftest import EXAMPLES, QUICK, SENTIMENT, Start, quickly_measured

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
# 2 ms a request, and once, when it is asked for the 100th time, half a second.
STALLING = """
import time

class Handler:
    def load(self, model_dir):
        self.asked = 0

    def predict(self, examples):
        self.asked += 1
        time.sleep(0.5 if self.asked % 400 == 100 else 0.002)
        return [{"id": e["id"], "label": "positive"} for e in examples]
"""
WORKING = """
import time

class Handler:
    def load(self, model_dir):
        pass

    def predict(self, examples):
        for _ in range(20_000 * len(examples)):
            pass
        time.sleep(SLEEP)
        return [{"id": e["id"], "label": "positive"} for e in examples]
"""


@pytest.fixture(scope="module")
def measured(start: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measurement]:
    """One quick measurement beside the reference, for all tests."""
    server = start(KNOWN)
    reference = reference_models.start_reference(tmp_path_factory.mktemp("reference"), Limits())
    reference.wait_ready()

    yield quickly_measured(server, reference)
    reference.discard()


def test_throughput_is_the_median_ratio_times_the_references_rating(measured: Measurement) -> None:
    low, high = measured.throughput_interval
    assert low <= measured.throughput <= high
    assert measured.throughput == pytest.approx(
        quantile([pair.ratio for pair in measured.pairs], 0.5) * measured.rating
    )
    assert all(20 < rate(pair.candidate) < 1_000 for pair in measured.pairs)  # 1 ms each, and others on the machine


def test_turns_of_candidate_and_reference_alternate_and_each_pair_is_the_same_work(measured: Measurement) -> None:
    assert QUICK.least_pairs <= len(measured.pairs) <= QUICK.most_pairs
    assert len({sum(block.examples for block in pair.candidate) for pair in measured.pairs}) == 1
    assert len({sum(block.examples for block in pair.reference) for pair in measured.pairs}) == 1
    blocks = sorted(chain(*((*pair.candidate, *pair.reference) for pair in measured.pairs)), key=lambda b: b.start_s)
    for sooner, later in pairwise(blocks):
        assert later.start_s >= sooner.start_s + sooner.seconds


def test_latency_is_that_of_single_requests(measured: Measurement) -> None:
    found = measured.latency
    assert found.requests >= 64
    assert found.p90_upper
    assert 0.001 < found.p50 <= found.p90 <= found.p90_upper < 2
    assert found.p50_interval[0] <= found.p50 <= found.p50_interval[1]


def test_the_harness_is_measured_by_an_echo_of_the_same_requests(measured: Measurement) -> None:
    assert measured.latency.floor
    assert 0.0001 < measured.latency.floor < 0.1
    assert ("harness" in measured.flags) == (measured.latency.floor > 0.05 * measured.latency.p50)


def test_the_open_loop_found_a_rate_below_what_the_model_can_do(measured: Measurement) -> None:
    assert len(measured.open_loop.probes) in {QUICK.probes, 0}  # none when a machine is so busy that 100 ms are missed
    assert measured.open_loop.rate is None or 1 < measured.open_loop.rate < 1_500


def test_memory_is_sampled_ten_times_a_second_over_the_blocks(measured: Measurement) -> None:
    times = [time for time, _ in measured.memory.use.samples]
    assert times == sorted(times)
    assert len(times) / times[-1] >= 10


def test_memory_holds_the_weights_but_not_torchserve(measured: Measurement) -> None:
    assert 50 * MIB < measured.memory.mean < 240 * MIB


def test_the_peak_catches_what_samples_miss(measured: Measurement) -> None:
    assert 200 * MIB < measured.memory.peak < 300 * MIB


def test_the_cold_start_stands_apart(measured: Measurement) -> None:
    assert 0.1 < measured.cold_start < 30


def test_a_quick_measurement_says_so_and_what_it_ran_on(measured: Measurement) -> None:
    assert "quick" in measured.flags
    assert (measured.profile, measured.protocol_version) == ("quick", "4")
    assert measured.quiet.waited_s > 0
    assert isinstance(measured.processors, tuple)


def test_a_stall_shows_in_the_open_loop_and_not_in_the_closed(start: Start) -> None:
    server = start(STALLING)
    profile = replace(QUICK, least_requests=390, latency_s=0)

    async def run() -> tuple[float, float]:
        async with Predictor(server, SENTIMENT, 10) as predictor:
            subject = Subject(Endpoint(server, predictor, 1), EXAMPLES, profile)
            alone = await latency(predictor, subject.single, None, profile)
            await latency(predictor, subject.single, None, replace(profile, least_requests=10))
            schedule = arrivals(100, 390, "stall")
            return alone.p90, judged(100, await latencies(predictor, subject.single, schedule), 0.1).p99

    closed, opened = asyncio.run(run())
    assert closed < 0.3
    assert opened > 0.3


def compared(one: ModelServer, other: ModelServer) -> Comparison:
    """Both in turns, one example at a time."""

    async def run() -> Comparison:
        async with Predictor(one, SENTIMENT, 10) as first, Predictor(other, SENTIMENT, 10) as second:
            return await compare(Endpoint(one, first, 1), Endpoint(other, second, 1), EXAMPLES, patient, steps.append)

    patient = replace(QUICK, most_pairs=60, half_width=0.2)  # for machines with much else to do
    steps: list[str] = []
    comparison = asyncio.run(run())
    assert len(steps) == 4
    return comparison


def test_a_model_that_sleeps_a_millisecond_more_per_request_is_found(start: Start) -> None:
    found = compared(start(WORKING.replace("SLEEP", "0.001")), start(WORKING.replace("SLEEP", "0")))
    assert found.ratio.high < 1
    assert found.candidate.latency.p50 > found.other.latency.p50 + 0.0008
    assert found.candidate.rate < found.other.rate
    assert all(side.memory.peak > 5 * MIB for side in (found.candidate, found.other))


def test_latencies_of_a_short_run_have_no_p99(measured: Measurement) -> None:
    assert (measured.latency.p99 is None) == (measured.latency.requests < 459)
