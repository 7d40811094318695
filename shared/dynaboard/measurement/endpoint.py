"""A model server that is ready to be measured: how to ask it, and where its memory is read."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from dynaboard.runtime import ModelServer, Predictor

Examples = Sequence[Mapping[str, Any]]
# Told the name of each step as it begins.
OnStep = Callable[[str], None]


class Sampler(Protocol):
    """Memory of one model while a block of code runs."""

    @property
    def samples(self) -> Sequence[tuple[float, int]]:
        """(seconds since the sampling began, bytes), in order of time."""

    @property
    def peak(self) -> int:
        """The highest moment in bytes, the kernel's own mark where it may be had; after the sampling."""

    def sampling(self) -> AbstractAsyncContextManager[None]:
        """Sample inside the block, at its first and last moment too."""


@dataclass(frozen=True)
class Endpoint:
    """A model that has been started and waited for. `sampler` is a fresh one for one measurement."""

    server: ModelServer
    predictor: Predictor
    batch_size: int
    sampler: Sampler
