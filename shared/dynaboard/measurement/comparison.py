"""Two models beside one another: which is faster, and by how much, on their machine."""

from dynaboard.measurement import quiet
from dynaboard.measurement.blocks import rate
from dynaboard.measurement.endpoint import Endpoint, Examples, OnStep, silent
from dynaboard.measurement.findings import Comparison, Side
from dynaboard.measurement.flags import flags_of
from dynaboard.measurement.latency import latency
from dynaboard.measurement.paired import ratio_of
from dynaboard.measurement.profiles import PROTOCOL_VERSION, Profile
from dynaboard.measurement.subject import Subject
from dynaboard.measurement.throughput import throughput


async def compare(
    candidate: Endpoint, other: Endpoint, examples: Examples, profile: Profile, on_step: OnStep = silent
) -> Comparison:
    """Measure two models of one task in turns on the same inputs. Raises ModelFailure as `measure` does."""
    first, second = subjects = Subject(candidate, examples, profile), Subject(other, examples, profile)
    on_step("Waiting for the machine to be quiet")
    host = candidate.server.host
    gate = await quiet.quiet(profile, host.reading)
    started = await host.reading()
    with host.pinned((candidate.server, other.server)) as processors:
        on_step("Warming up")
        (work, warm), (other_work, other_warm) = await first.ready(), await second.ready()
        on_step("Measuring throughput and memory")
        async with first.memory.sampling(), second.memory.sampling():
            pairs = await throughput(work, other_work, profile)
        on_step("Measuring latency")
        single = [await latency(each.endpoint.predictor, each.single, None, profile) for each in subjects]
    gate = quiet.during(gate, started, await host.reading())
    taken = [block for pair in pairs for block in pair.candidate], [block for pair in pairs for block in pair.reference]
    sides = [
        Side(rate(blocks), alone, subject.memory_over(blocks), subject.cold_start)
        for blocks, alone, subject in zip(taken, single, subjects, strict=True)
    ]
    flags = flags_of(profile, gate, (warm, other_warm), pairs, single)
    return Comparison(
        ratio=ratio_of(pairs),
        pairs=tuple(pairs),
        candidate=sides[0],
        other=sides[1],
        quiet=gate,
        processors=processors,
        flags=flags,
        profile=profile.name,
        protocol_version=PROTOCOL_VERSION,
    )
