"""Does a model rest while it is not asked? In the reference's turns, work of its own slows the reference, and so makes
the model look quicker than it is.

What its examples take of the processors is told by a block with no other's turns in it. What it used over the pairs
beyond that, it used when it was not asked. A model cannot tell a turn of the reference from any other pause.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.driver import timed
from dynaboard.measurement.throughput import Work

# Examples of so many pairs: what the kernel counts in hundredths of a second is then known to a few of a hundred.
PAIRS_ALONE = 4
# The share of the reference's turns, and of what its own examples take, that a model may use beyond: garbage
# collection, threads that spin for a moment before they sleep.
TOLERANCE = 0.10

# The processor seconds that a model has used since it was started.
Spent = Callable[[], Awaitable[float]]


@dataclass(frozen=True)
class Rest:
    """Processor seconds: used over the pairs, those its examples take, and the seconds of the reference's turns."""

    used_s: float
    needed_s: float
    others_s: float

    @property
    def restless(self) -> bool:
        """Whether it worked in the reference's turns for more than the tolerance."""
        return self.used_s - self.needed_s > TOLERANCE * (self.needed_s + self.others_s)


def rest_of(pairs: Sequence[Pair], used_s: float, alone: Block, alone_s: float, threads: int) -> Rest:
    """From the processor seconds over the pairs, and those of a block without another's turns.

    No more is needed than `threads` processors give in the model's own turns: who spins there too needs no more. Pure.
    """
    own = [block for pair in pairs for block in pair.candidate]
    examples, own_s = sum(block.examples for block in own), sum(block.seconds for block in own)
    others_s = sum(block.seconds for pair in pairs for block in pair.reference)
    return Rest(used_s, min(alone_s / alone.examples * examples, threads * own_s), others_s)


async def rested(work: Work, pairs: Sequence[Pair], used_s: float, spent: Spent, threads: int) -> Rest:
    """Have the model work alone for a moment, and compare. Raises ModelFailure or PlatformFailure."""
    before = await spent()
    alone = await timed(work.predictor, chain.from_iterable(list(work.turns) * PAIRS_ALONE), 0.0)
    return rest_of(pairs, used_s, alone, await spent() - before, threads)
