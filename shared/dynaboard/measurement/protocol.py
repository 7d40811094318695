"""The measuring protocol: what one model costs, beside the reference, on whatever machine the two are."""

from functools import partial

from dynaboard.measurement import quiet, reference
from dynaboard.measurement.endpoint import Endpoint, Examples, OnStep, silent
from dynaboard.measurement.findings import Measurement
from dynaboard.measurement.flags import flags_of
from dynaboard.measurement.latency import floor_of, latency
from dynaboard.measurement.open_loop import open_loop
from dynaboard.measurement.paired import ratio_of
from dynaboard.measurement.profiles import PROTOCOL_VERSION, Profile
from dynaboard.measurement.reference import Reference
from dynaboard.measurement.rest import rested
from dynaboard.measurement.subject import Subject
from dynaboard.measurement.throughput import throughput


async def measure(
    candidate: Endpoint, beside: Reference, examples: Examples, profile: Profile, on_step: OnStep = silent
) -> Measurement:
    """Measure a model that is ready and idle beside the reference; nothing else should run on their machine.

    What the machine itself tells is asked where the reference runs, which is ours: never of the candidate.

    Raises ModelFailure when the model breaks its contract under way: every answer is checked here too.
    """
    subject = Subject(candidate, examples, profile)
    on_step("Waiting for the machine to be quiet")
    host = beside.server.host
    gate = await quiet.quiet(profile, host.reading)
    started = await host.reading()
    with host.pinned((candidate.server, beside.server)) as processors:
        on_step("Measuring the harness")
        floor = await floor_of(beside.echo, subject.single, profile)
        on_step("Warming up")
        work, warm = await subject.ready()
        other = await reference.ready(beside, profile)
        on_step("Measuring throughput and memory")
        spent = partial(candidate.server.host.spent, candidate.server)
        before = await spent()
        async with subject.memory.sampling():
            pairs = await throughput(work, other.beside(work, profile), profile)
        rest = await rested(work, pairs, await spent() - before, spent, candidate.server.limits.threads)
        on_step("Measuring latency")
        single = await latency(candidate.predictor, subject.single, floor, profile)
        on_step("Measuring latency under load")
        loaded = await open_loop(candidate.predictor, subject.single, 1 / single.p50, profile)
    gate = quiet.during(gate, started, await host.reading())
    return Measurement(
        ratio=ratio_of(pairs),
        rating=beside.rating,
        pairs=tuple(pairs),
        latency=single,
        open_loop=loaded,
        memory=subject.memory_over([block for pair in pairs for block in pair.candidate]),
        cold_start=subject.cold_start,
        rest=rest,
        quiet=gate,
        processors=processors,
        flags=flags_of(profile, gate, (warm, other.warm), pairs, (single,), rest),
        profile=profile.name,
        protocol_version=PROTOCOL_VERSION,
    )
