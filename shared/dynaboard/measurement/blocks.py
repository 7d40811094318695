"""What a throughput run is made of: blocks of requests, and pairs of a candidate's and a reference's. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """How many examples in how many seconds, begun so long (seconds) after the run began."""

    start_s: float
    seconds: float
    examples: int

    @property
    def rate(self) -> float:
        """Examples a second."""
        return self.examples / self.seconds


@dataclass(frozen=True)
class Pair:
    """The same work of a candidate and of a reference, done in turns: what slows the machine down slows both.

    Each side is one block, or several where the candidate is so slow that the reference has turns within its pass.
    """

    candidate: tuple[Block, ...]
    reference: tuple[Block, ...]

    @property
    def ratio(self) -> float:
        """The candidate's examples a second over the reference's."""
        return rate(self.candidate) / rate(self.reference)

    @property
    def seconds(self) -> float:
        """How long both were at it."""
        return math.fsum(block.seconds for block in (*self.candidate, *self.reference))


def rate(blocks: Sequence[Block]) -> float:
    """Examples a second over all of these blocks."""
    return sum(block.examples for block in blocks) / math.fsum(block.seconds for block in blocks)
