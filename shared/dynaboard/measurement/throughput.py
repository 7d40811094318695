"""The throughput run: a candidate and a reference in turns on the same machine, until their ratio is known."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.driver import timed
from dynaboard.measurement.paired import enough
from dynaboard.measurement.profiles import Profile
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch


@dataclass(frozen=True)
class Work:
    """What one model does for one pair, turn by turn, and how long a turn takes it (seconds, about)."""

    predictor: Predictor
    turns: Sequence[Sequence[Batch]]
    turn_s: float


async def throughput(candidate: Work, reference: Work, profile: Profile) -> list[Pair]:
    """Pairs until they are enough. Raises ModelFailure or PlatformFailure."""
    pairs: list[Pair] = []
    began = time.perf_counter()
    while not enough(pairs, profile):
        pairs.append(await _pair(candidate, reference, len(pairs), began))
    return pairs


async def _pair(candidate: Work, reference: Work, number: int, began: float) -> Pair:
    blocks: tuple[list[Block], list[Block]] = [], []
    sides = (candidate, reference)
    for place, turn in merged(len(candidate.turns), len(reference.turns), number % 2):
        blocks[place].append(await timed(sides[place].predictor, sides[place].turns[turn], began))
    return Pair(tuple(blocks[0]), tuple(blocks[1]))


def merged(first: int, second: int, leader: int) -> list[tuple[int, int]]:
    """The order of so many turns of two sides, as (side 0 or 1, turn): spread evenly among one another. Pure.

    Turns that fall together are taken by the leader (0 or 1) first, then by the other first, and so on by turns: a
    steady drift of the machine cancels.
    """
    order = [
        ((turn + 0.5) / count, (turn + side + leader) % 2, side, turn)
        for side, count in enumerate((first, second))
        for turn in range(count)
    ]
    return [(side, turn) for *_, side, turn in sorted(order)]
