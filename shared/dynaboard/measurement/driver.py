"""Measures one model server by a profile: warm-up, throughput blocks with memory, then single requests."""

import itertools
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from dynaboard.contract import Answer
from dynaboard.measurement import plan
from dynaboard.measurement.memory import MemorySampler
from dynaboard.measurement.plan import Block, Profile
from dynaboard.runtime import ModelServer, Predictor

Examples = Sequence[Mapping[str, Any]]


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
    memory = MemorySampler(server, profile.sample_hz)
    async with aclosing(predictor.stream(itertools.cycle(inputs), batch_size)) as stream:
        steady = await _warm_up(stream, length, profile)
        async with memory.sampling():
            blocks = await _throughput(stream, length, profile)
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


async def _warm_up(stream: AsyncIterator[list[Answer]], length: int, profile: Profile) -> bool:
    """Run until three windows agree or the time is up; whether they agreed. What was seen is discarded."""
    windows: list[Block] = []
    while sum(window.seconds for window in windows) < profile.warmup_cap_s:
        windows.append(await _block(stream, length, profile.window_s, 0.0))
        if plan.settled(windows, profile.warmup_agreement):
            return True
    return False


async def _throughput(stream: AsyncIterator[list[Answer]], length: int, profile: Profile) -> list[Block]:
    blocks: list[Block] = []
    while not plan.enough(blocks, profile):
        start = sum(block.seconds for block in blocks)
        blocks.append(await _block(stream, length, profile.block_s, start))
    return blocks


async def _block(stream: AsyncIterator[list[Answer]], length: int, seconds: float, start: float) -> Block:
    """Whole passes of `length` examples until the time is filled; requests stay in flight from block to block."""
    began, elapsed, finished = time.perf_counter(), 0.0, 0
    while elapsed < seconds or finished % length:
        finished += len(await anext(stream))
        elapsed = time.perf_counter() - began
    return Block(start, elapsed, finished)


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
