"""The reference model, ready: what every candidate is measured in turns with, and what its speed counts as."""

import math
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass

from dynaboard.contract import Answer
from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.measurement import quiet, reference_models, statistics
from dynaboard.measurement.blocks import Block
from dynaboard.measurement.driver import timed
from dynaboard.measurement.profiles import Profile
from dynaboard.measurement.quiet import Quiet
from dynaboard.measurement.throughput import Work
from dynaboard.measurement.warm_up import WarmUp, warm_up
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Predictor, Served
from dynaboard.runtime.predictor import Batch, Reply

# The reference's turns beside a slow candidate's, as a share of them.
LEAST_SHARE = 0.25


@dataclass(frozen=True)
class Rating:
    """The reference's examples a second on one hardware profile, found once and kept with the blocks that told it."""

    value: float
    low: float
    high: float
    blocks: tuple[Block, ...]
    quiet: Quiet


@dataclass(frozen=True)
class Reference:
    """A running reference model: its own work, and an echo of the candidate's inputs. `rating` in examples/s."""

    server: Served
    worker: Predictor
    echo: Predictor
    rating: float


@dataclass(frozen=True)
class WarmReference:
    """A reference that runs at its speed."""

    predictor: Predictor
    batches: Sequence[Batch]
    warm: WarmUp

    def beside(self, candidate: Work, profile: Profile) -> Work:
        """As many turns as the candidate's, as long as the profile's; beside a slow one, as long as a part of its own.

        Every turn is whole passes: the same work.
        """
        turn = self.turn(max(profile.turn_s, candidate.turn_s * LEAST_SHARE))
        return Work(self.predictor, [turn] * len(candidate.turns), profile.turn_s)

    def turn(self, seconds: float) -> list[Batch]:
        """Whole passes for about so long."""
        return list(self.batches) * math.ceil(seconds * self.warm.rate / reference_models.INPUTS)


class OwnModel(Predictor):
    """A predictor of a model of ours: what it does wrong is no submitter's fault."""

    async def replies(self, batches: Iterable[Batch], in_flight: int = 2) -> AsyncGenerator[Reply, None]:
        """As Predictor does. Raises PlatformFailure."""
        with _blamed_on_us():
            async with aclosing(super().replies(batches, in_flight)) as coming:
                async for reply in coming:
                    yield reply

    async def checked(self, reply: Reply) -> list[Answer]:
        """As Predictor does. Raises PlatformFailure."""
        with _blamed_on_us():
            return await super().checked(reply)


@contextmanager
def _blamed_on_us() -> Iterator[None]:
    try:
        yield
    except ModelFailure as failure:
        raise PlatformFailure(f"The reference model failed: {failure.detail}") from failure


@asynccontextmanager
async def connected(server: Served, task: Task, rating: float = 1.0) -> AsyncIterator[Reference]:
    """A reference for candidates of this task, on a server that is ready. `rating`: 1 while it is not known."""
    patience_s = server.limits.predict_s
    async with (
        OwnModel(server, reference_models.TASK, patience_s) as worker,
        OwnModel(server, reference_models.echo_task(task), patience_s) as echo,
    ):
        yield Reference(server, worker, echo, rating)


async def ready(reference: Reference, profile: Profile) -> WarmReference:
    """Warm the reference up. Raises PlatformFailure."""
    batches = list(reference.worker.encoded(reference_models.inputs(), reference_models.BATCH_SIZE))
    return WarmReference(reference.worker, batches, await warm_up(reference.worker, batches, profile))


async def rated(reference: Reference, profile: Profile) -> Rating:
    """Find the reference's rate on the machine it is on: the median over blocks. Raises PlatformFailure."""
    host = reference.server.host
    gate = await quiet.quiet(profile, host.reading)
    with host.pinned([reference.server]):
        turn = (await ready(reference, profile)).turn(profile.turn_s)
        blocks: list[Block] = []
        began = time.perf_counter()
        while time.perf_counter() - began < profile.rating_s or len(blocks) < 3:
            blocks.append(await timed(reference.worker, turn, began))
    rates = [block.rate for block in blocks]
    return Rating(statistics.quantile(rates, 0.5), *statistics.median_interval(rates), tuple(blocks), gate)
