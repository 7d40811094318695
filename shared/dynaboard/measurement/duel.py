"""Two model folders measured beside one another on this machine, or one beside the reference; without a server."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from dynaboard.measurement import reference_models
from dynaboard.measurement.canary import Canary, sing
from dynaboard.measurement.comparison import compare
from dynaboard.measurement.endpoint import Endpoint, Examples, OnStep
from dynaboard.measurement.energy import Energy, energy_of, meter
from dynaboard.measurement.findings import Comparison, Measurement, Side
from dynaboard.measurement.inputs import pass_length, stratified
from dynaboard.measurement.integrity import Determinism, Speeds, Witness, determinism, flags_of, speeds_of
from dynaboard.measurement.profiles import Profile
from dynaboard.measurement.protocol import measure
from dynaboard.measurement.reference import connected, rated
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Limits, ModelServer, Predictor, start_server
from dynaboard.runtime.predictor import Batch


@dataclass(frozen=True)
class Entrant:
    """A model unpacked in a folder: what to call it, its handler ("handler.py:Handler") and its batch size."""

    name: str
    folder: Path
    handler: str
    batch_size: int


@dataclass(frozen=True)
class Terms:
    """What both are asked, and how long they are measured."""

    task: Task
    examples: Examples
    profile: Profile
    on_step: OnStep


@dataclass(frozen=True)
class Costs:
    """What one model costs, and whether to trust it."""

    name: str
    side: Side
    sandbox: str
    speeds: Speeds
    determinism: Determinism | None
    energy: Energy | None = None

    @property
    def flags(self) -> tuple[str, ...]:
        """What speaks against its numbers."""
        return flags_of(self.speeds, self.determinism)


@dataclass(frozen=True)
class Duel:
    """`found` is the comparison of two models, or one model's measurement beside the reference."""

    found: Comparison | Measurement
    sides: tuple[Costs, ...]
    before: Canary
    after: Canary


@contextmanager
def started(entrants: Sequence[Entrant], limits: Limits, scratch: Path) -> Iterator[list[ModelServer]]:
    """Their servers, ready; stopped and removed after. Raises ModelFailure or PlatformFailure."""
    with ExitStack() as stack:
        servers: list[ModelServer] = []
        for number, entrant in enumerate(entrants):
            server = start_server(entrant.folder, entrant.handler, scratch / f"run-{number}", limits)
            stack.callback(server.discard)
            server.wait_ready()
            servers.append(server)
        yield servers


def duel(entrants: Sequence[Entrant], terms: Terms, scratch: Path) -> Duel:
    """Measure two models of one task, or one beside the reference. Call it outside an event loop; minutes.

    Raises ModelFailure when a model cannot start or breaks its contract, PlatformFailure when this machine cannot.
    """
    limits = Limits()
    terms.on_step("Starting the models")
    with started(entrants, limits, scratch) as servers:
        if len(servers) == 2:
            return asyncio.run(_two(entrants, servers, terms))
        beside = reference_models.start_reference(scratch / "reference", limits)
        try:
            beside.wait_ready()
            return asyncio.run(_one(entrants[0], servers[0], beside, terms))
        finally:
            beside.discard()


async def _two(entrants: Sequence[Entrant], servers: Sequence[ModelServer], terms: Terms) -> Duel:
    patience_s = servers[0].limits.predict_s
    async with (
        Predictor(servers[0], terms.task, patience_s) as one,
        Predictor(servers[1], terms.task, patience_s) as other,
    ):
        ends = [
            Endpoint(server, predictor, entrant.batch_size)
            for server, predictor, entrant in zip(servers, (one, other), entrants, strict=True)
        ]
        checks = [await Check.begin(end, terms) for end in ends]
        before = sing()
        with checks[0].witness.watching(one), checks[1].witness.watching(other):
            found = await compare(ends[0], ends[1], terms.examples, terms.profile, terms.on_step)
        after = sing()
        sides = [
            await check.end(entrant.name, side)
            for entrant, check, side in zip(entrants, checks, (found.candidate, found.other), strict=True)
        ]
    return Duel(found, tuple(sides), before, after)


async def _one(entrant: Entrant, server: ModelServer, beside: ModelServer, terms: Terms) -> Duel:
    profile, on_step = terms.profile, terms.on_step
    async with (
        Predictor(server, terms.task, server.limits.predict_s) as predictor,
        connected(beside, terms.task) as unrated,
    ):
        end = Endpoint(server, predictor, entrant.batch_size)
        check = await Check.begin(end, terms)
        before = sing()
        on_step("Rating the reference")
        reference = replace(unrated, rating=(await rated(unrated, profile)).value)
        with check.witness.watching(predictor):
            found = await measure(end, reference, terms.examples, profile, on_step)
        after = sing()
        side = Side(found.throughput, found.latency, found.memory, found.cold_start)
        costs = await check.end(entrant.name, side)
    return Duel(found, (costs,), before, after)


@dataclass(frozen=True)
class Check:
    """One model's requests, and its answers to them before it is timed, to be compared with those while it is timed."""

    endpoint: Endpoint
    terms: Terms
    batches: Sequence[Batch]
    scored: dict[str, str]
    witness: Witness

    @classmethod
    async def begin(cls, endpoint: Endpoint, terms: Terms) -> "Check":
        """Ask for the answers. Raises ModelFailure or PlatformFailure."""
        terms.on_step("Asking for answers to compare with later")
        count = pass_length(terms.profile.inputs, endpoint.batch_size)
        chosen = stratified(terms.examples, count, terms.task.inputs)
        answers = endpoint.predictor.stream(chosen, endpoint.batch_size)
        scored = {answer.id: answer.value async for some in answers for answer in some}
        batches = list(endpoint.predictor.encoded(chosen, endpoint.batch_size))
        return cls(endpoint, terms, batches, scored, Witness())

    async def end(self, name: str, side: Side) -> Costs:
        """Compare answers, and speeds of known and new texts; read energy. Raises ModelFailure or PlatformFailure."""
        self.terms.on_step("Comparing answers, and known texts with new ones")
        endpoint, block_s = self.endpoint, self.terms.profile.check_s
        speeds = await speeds_of(endpoint.predictor, self.terms.examples, endpoint.batch_size, side.rate, block_s)
        used = await energy_of(endpoint.predictor, self.batches, self.terms.profile.pair_s, meter())
        same = determinism(self.witness.answers, self.scored)
        return Costs(name, side, endpoint.server.sandbox, speeds, same, used)
