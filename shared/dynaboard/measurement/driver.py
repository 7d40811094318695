"""Measures one model server by a profile: warm-up, throughput blocks with memory, then single requests."""

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from dynaboard.measurement import plan
from dynaboard.measurement.memory import MemorySampler
from dynaboard.measurement.plan import Block, Profile
from dynaboard.runtime import ModelServer, Predictor
from dynaboard.runtime.predictor import Batch, Reply

Examples = Sequence[Mapping[str, Any]]
Batches = Sequence[Batch]


@dataclass(frozen=True)
class Measurement:
    """What a model costs. Throughput in examples/s, times in seconds, memory in bytes, intervals at 95 %.

    `p90_upper` is the 99 % upper bound of p90, None below 44 requests. `memory_mean` is the time-weighted mean over
    the throughput blocks (the paper's measure), `memory_peak` the highest moment in them. Flags: the profile's name if
    it is a short one, `unsettled` when the warm-up never became steady, `noisy` when the interval stayed too wide.
    """

    throughput: float
    throughput_interval: tuple[float, float]
    p50: float
    p50_interval: tuple[float, float]
    p90: float
    p90_upper: float | None
    memory_mean: float
    memory_peak: int
    cold_start: float
    blocks: tuple[Block, ...]
    memory_samples: tuple[tuple[float, int], ...]
    requests: int
    flags: tuple[str, ...]
    profile: str
    protocol_version: str


async def measure(
    server: ModelServer, predictor: Predictor, examples: Examples, batch_size: int, profile: Profile
) -> Measurement:
    """Measure a server that is ready and idle; nothing else should run on the machine.

    Raises ModelFailure when the model breaks its contract under way: every answer is checked here too.
    """
    cold_start = server.wait_ready()
    length = plan.pass_length(profile, batch_size)
    inputs = plan.stratified(examples, length, predictor.task.inputs)
    batches = list(predictor.encoded(inputs, batch_size))
    memory = MemorySampler(server, profile.sample_hz)
    steady = await _warm_up(predictor, batches, profile)
    async with memory.sampling():
        blocks = await _throughput(predictor, batches, profile)
    latencies = await _latencies(predictor, inputs, profile)
    rates = [block.rate for block in blocks]
    unsettled = () if steady else ("unsettled",)
    unquiet = ("noisy",) if plan.noisy(rates, profile.half_width) else ()
    return Measurement(
        throughput=plan.quantile(rates, 0.5),
        throughput_interval=plan.median_interval(rates),
        p50=plan.quantile(latencies, 0.5),
        p50_interval=plan.median_interval(latencies),
        p90=plan.quantile(latencies, plan.PERCENTILE),
        p90_upper=plan.upper_bound(latencies, plan.PERCENTILE, plan.PERCENTILE_CONFIDENCE),
        memory_mean=plan.time_weighted_mean(memory.samples),
        memory_peak=memory.peak,
        cold_start=cold_start,
        blocks=tuple(blocks),
        memory_samples=tuple(memory.samples),
        requests=len(latencies),
        flags=(*profile.flags, *unsettled, *unquiet),
        profile=profile.name,
        protocol_version=plan.PROTOCOL_VERSION,
    )


async def _warm_up(predictor: Predictor, batches: Batches, profile: Profile) -> bool:
    """Run until three windows agree or the time is up; whether they agreed. What was seen is discarded."""
    windows: list[Block] = []
    while sum(window.seconds for window in windows) < profile.warmup_cap_s:
        windows.append(await _block(predictor, batches, profile.window_s, 0.0))
        if plan.settled(windows, profile.warmup_agreement):
            return True
    return False


async def _throughput(predictor: Predictor, batches: Batches, profile: Profile) -> list[Block]:
    blocks: list[Block] = []
    began = time.perf_counter()
    while not plan.enough(blocks, profile):
        blocks.append(await _block(predictor, batches, profile.block_s, time.perf_counter() - began))
    return blocks


async def _block(predictor: Predictor, batches: Batches, seconds: float, start: float) -> Block:
    """Whole passes until the time is filled, and then the check of every answer, off the clock.

    Requests are encoded before, answers are read after: on the clock our side only passes bytes on. Equal answers to
    one request are kept and checked once, so that a long block of a quick model needs little memory.
    """
    replies: dict[tuple[int, bytes], Reply] = {}
    began, finished = time.perf_counter(), 0
    async with aclosing(predictor.replies(_passes(batches, seconds))) as coming:
        async for reply in coming:
            finished += len(reply.batch.examples)
            replies[reply.batch.first, reply.text] = reply
            if reply.status != 200:
                break
    elapsed = time.perf_counter() - began
    for reply in replies.values():
        predictor.checked(reply)
    return Block(start, elapsed, finished)


def _passes(batches: Batches, seconds: float) -> Iterator[Batch]:
    """Whole passes over the batches, begun as long as the time is not up."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        yield from batches


async def _latencies(predictor: Predictor, inputs: Examples, profile: Profile) -> list[float]:
    """Seconds of single requests, each sent when the one before has returned (MLPerf's single stream)."""
    latencies: list[float] = []
    began = time.perf_counter()
    for example in itertools.cycle(inputs):
        sent = time.perf_counter()
        await predictor.predict([example])
        now = time.perf_counter()
        latencies.append(now - sent)
        done = len(latencies) >= profile.least_requests and now - began >= profile.latency_s
        if done or now - began >= profile.latency_cap_s:
            break
    return latencies
