"""A model server that is ready to be measured: how to ask it, and where its memory is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dynaboard.measurement.memory import AUTO
from dynaboard.measurement.samplers import SamplerChoice
from dynaboard.runtime import Predictor, Served

Examples = Sequence[Mapping[str, Any]]
# Told the name of each step as it begins.
OnStep = Callable[[str], None]


@dataclass(frozen=True)
class Endpoint:
    """A model that has been started; it need not be ready yet."""

    server: Served
    predictor: Predictor
    batch_size: int
    sampling: SamplerChoice = AUTO


def silent(step: str) -> None:
    """Tell nobody."""
