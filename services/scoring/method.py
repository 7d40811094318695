"""How a board becomes one number per model: everything a viewer may choose."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from dynaboard.errors import Invalid
from services.scoring.board import FloatArray

NOTHING: Mapping[str, float] = MappingProxyType({})


class EpsilonMode(StrEnum):
    """A share of the board's greatest base value (the published leaderboard), or points (the paper's footnote 6)."""

    RELATIVE = "relative"
    ABSOLUTE = "absolute"


class Slope(StrEnum):
    """How slopes of neighbours become one AMRS: their mean (the paper), or their median, hardly moved by one."""

    MEAN = "mean"
    MEDIAN = "median"


@dataclass(frozen=True)
class Epsilon:
    """Neighbours whose base metric differs by no more than this do not count for the AMRS. Raises Invalid below 0."""

    mode: EpsilonMode = EpsilonMode.RELATIVE
    value: float = 1e-4

    def __post_init__(self) -> None:
        if not (math.isfinite(self.value) and self.value >= 0):
            raise Invalid(f"Epsilon must be a number of at least 0, not {self.value}.")

    def threshold(self, base: FloatArray) -> float:
        """The least difference that counts, in units of the base metric; `base` holds its values, shape (models,)."""
        if self.mode is EpsilonMode.ABSOLUTE:
            return self.value
        return self.value * float(np.abs(base).max(initial=0.0))


@dataclass(frozen=True)
class Method:
    """The choices behind a ranking; each has the paper's default.

    `weights` (per metric) and `dataset_weights` are not normalised and may name a part only. What they do not name has
    its weight of `metric_defaults` and `dataset_defaults`, which are the task owner's and may name what is not on this
    board; what these do not name either has 1, the base metric m - 1 (so 0.5 and 0.5/(m - 1) once normalised).
    `budgets` names the metrics of which less is better, with the budget from which the saved part is counted.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    dataset_weights: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    metric_defaults: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    dataset_defaults: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    base: str = "performance"
    budgets: Mapping[str, float] = field(default_factory=lambda: NOTHING)
    epsilon: Epsilon = Epsilon()
    slope: Slope = Slope.MEAN


PAPER_METHOD = Method()
