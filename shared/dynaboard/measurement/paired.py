"""How much faster one model is than another that was measured in turns with it, and when that is known. Pure.

The interval has two parts. Within the run, order statistics of the paired ratios: they need no distribution, and by
simulation they keep their promise under drift, bursts and the stopping rule (tests/measurement/test_paired.py). Between
runs, an allowance: the same model started again lies elsewhere in memory and is a little faster or slower for as long
as it lives, which no number of blocks of one run can show.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dynaboard.measurement import statistics
from dynaboard.measurement.blocks import Pair
from dynaboard.measurement.profiles import Profile

# Coefficient of variation between runs of one model, beyond what its blocks tell: 20 starts of each of two models on an
# idle machine varied by 1.03 and 1.09 % (tests/benchmarks/bench_protocol.py, `apart-idle`), of which 0.5 % is told by
# their blocks: 0.9 to 1.0 %, and a fifth more for machines less steady than that one.
BETWEEN_RUNS = 0.012
Z = 1.96
# More than 95 %: neighbouring pairs resemble one another a little (a correlation of 0.2 was seen on busy machines), and
# the stopping rule prefers lucky streaks. By simulation this gives 95 % with both.
WITHIN_CONFIDENCE = 0.98
# Below six, not even the whole range of the ratios holds their median in 95 of 100 runs.
FEWEST = 6
# Looks at the interval are this far apart: who looks after every pair stops too early, on lucky streaks.
LOOK = 1.4


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
    return estimate([pair.ratio for pair in pairs])


def estimate(ratios: Sequence[float]) -> Ratio:
    """The median of these ratios; each arm of its interval is that within the run and that between runs, in square."""
    value = statistics.quantile(ratios, 0.5)
    low, high = statistics.median_interval(ratios, WITHIN_CONFIDENCE)
    return Ratio(value, value / math.exp(_arm(value / low)), value * math.exp(_arm(high / value)))


def _arm(within: float) -> float:
    return math.hypot(math.log(within), Z * BETWEEN_RUNS)


def noisy(ratios: Sequence[float], half_width: float) -> bool:
    """Whether the interval is wider than ± `half_width` (a share of the value), or cannot be told."""
    return len(ratios) < FEWEST or estimate(ratios).half_width > half_width


def enough(pairs: Sequence[Pair], profile: Profile) -> bool:
    """Whether to stop: the interval is narrow enough at a look, or pairs or time have run out (three at least)."""
    if len(pairs) >= profile.most_pairs:
        return True
    if sum(pair.seconds for pair in pairs) >= profile.pairs_cap_s and len(pairs) >= 3:
        return True
    return _is_look(len(pairs), profile.least_pairs) and not noisy([pair.ratio for pair in pairs], profile.half_width)


def _is_look(count: int, first: int) -> bool:
    look = first
    while look < count:
        look = max(math.ceil(look * LOOK), look + 1)
    return look == count
