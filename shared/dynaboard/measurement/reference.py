"""The reference model, ready: what every candidate is measured in turns with, and what its speed counts as."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dynaboard.measurement.blocks import Block
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch


@dataclass(frozen=True)
class Rating:
    """The reference's examples a second on one hardware profile, found once and kept with the blocks that told it."""

    value: float
    low: float
    high: float
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Reference:
    """A running reference model: its own work, and its echo for the candidate's inputs."""

    worker: Predictor
    batches: Sequence[Batch]
    echo: Predictor
    rating: float


def described(rating: Rating) -> dict[str, Any]:
    """As it is stored."""
    return {
        "low": rating.low,
        "high": rating.high,
        "blocks": [{"start_s": b.start_s, "seconds": b.seconds, "examples": b.examples} for b in rating.blocks],
    }
