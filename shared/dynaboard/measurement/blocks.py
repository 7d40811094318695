"""What a throughput run is made of: blocks of requests, and pairs of a candidate's and a reference's. Pure."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

Request = TypeVar("Request")
# No pass is quicker: a bound on how often it is repeated.
LEAST_PASS_S = 1e-4


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

    Each side is the blocks of its turns.
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


def turns(requests: Sequence[Request], pass_s: float, pair_s: float, turn_s: float) -> list[list[Request]]:
    """The work of one pair, cut into turns: whole passes for about `pair_s`, each turn for about `turn_s`.

    `pass_s`: how long one pass over the requests takes. No turn is shorter than one request, no pair than one pass.
    """
    passes = math.ceil(pair_s / max(pass_s, LEAST_PASS_S))
    work = list(requests) * passes
    count = min(max(round(passes * pass_s / turn_s), 1), len(work))
    cuts = [place * len(work) // count for place in range(count + 1)]
    return [work[start:end] for start, end in itertools.pairwise(cuts)]
