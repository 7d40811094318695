"""The random numbers of perturbations: the same on any machine and in any version of Python. Pure."""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import count
from struct import unpack
from typing import Protocol

# The numbers are multiples of 2^-32: a choice among 1,000 is uniform to one part in four million.
STEP = 2.0**-32


class Draws(Protocol):
    """What perturbations draw from. A random.Random is one too."""

    def random(self) -> float:
        """The next number, uniform in [0, 1)."""


class KeyedDraws:
    """The numbers that belong to a key: BLAKE2b of "<key>:0", "<key>:1", …, 16 numbers of 32 bits in each.

    A generator that is seeded, such as random.Random, costs more than the drawing for a text of ten words: this one has
    no state to fill, and hashes only when it is first asked.
    """

    __slots__ = ("random",)

    random: Callable[[], float]

    def __init__(self, key: str) -> None:
        self.random = _numbers(key).__next__


def _numbers(key: str) -> Iterator[float]:
    for block in count():
        for word in unpack("<16I", blake2b(f"{key}:{block}".encode()).digest()):
            yield word * STEP
