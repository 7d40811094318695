"""How much faster one model is than another that was measured in turns with it, and when that is known. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynaboard.measurement import statistics
from dynaboard.measurement.blocks import Pair


@dataclass(frozen=True)
class Ratio:
    """The median of paired ratios, and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the interval as a share of the value."""
        return (self.high - self.low) / 2 / self.value


def ratio_of(pairs: Sequence[Pair]) -> Ratio:
    """The ratio that these pairs tell."""
    ratios = [pair.ratio for pair in pairs]
    return Ratio(statistics.quantile(ratios, 0.5), *statistics.median_interval(ratios))
