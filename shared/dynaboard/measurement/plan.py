"""The measuring protocol, pure: how long, on which inputs, and the statistics of what was seen.

Order statistics throughout: they hold for any distribution, and those of shared machines are never normal.
"""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

PROTOCOL_VERSION = "1"
# 99 % upper bound of the 90th percentile, as MLPerf's LoadGen reports it; it needs 44 requests.
PERCENTILE, PERCENTILE_CONFIDENCE = 0.9, 0.99
INTERVAL_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Profile:
    """How long each step lasts (seconds, counts). A longer profile is another row, not another code path.

    A window or block is as many whole passes over the inputs as fill its time, so all blocks do the same work.
    """

    name: str
    inputs: int
    window_s: float
    warmup_agreement: float
    warmup_cap_s: float
    block_s: float
    least_blocks: int
    most_blocks: int
    blocks_cap_s: float
    half_width: float
    least_requests: int
    latency_s: float
    latency_cap_s: float
    sample_hz: float
    flags: tuple[str, ...] = ()


PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        Profile(
            name="quick",
            inputs=64,
            window_s=0.15,
            warmup_agreement=0.05,
            warmup_cap_s=1.2,
            block_s=0.2,
            least_blocks=6,
            most_blocks=9,
            blocks_cap_s=20,
            half_width=0.03,
            least_requests=64,
            latency_s=0.4,
            latency_cap_s=20,
            sample_hz=20,
            flags=("quick",),
        ),
    )
}


@dataclass(frozen=True)
class Block:
    """Whole passes over the inputs: how many examples in how many seconds, begun so long after the first block."""

    start_s: float
    seconds: float
    examples: int

    @property
    def rate(self) -> float:
        """Examples a second."""
        return self.examples / self.seconds


def stratified(examples: Sequence[Mapping[str, Any]], count: int, fields: Sequence[str]) -> list[Mapping[str, Any]]:
    """Choose `count` examples spread evenly over the lengths of their `fields`, in a fixed mixed order.

    The same for every model: no clock and no chance beyond a fixed seed. Fewer examples than `count` are repeated.
    """
    if not examples:
        raise ValueError("there is nothing to measure with: no examples")
    by_length = sorted(examples, key=lambda example: (sum(len(example[field]) for field in fields), str(example["id"])))
    chosen = [by_length[int((index + 0.5) * len(by_length) / count)] for index in range(count)]
    Random("dynaboard measurement inputs").shuffle(chosen)
    return chosen


def pass_length(profile: Profile, batch_size: int) -> int:
    """Inputs in one pass: at least the profile's, and whole batches, so that every pass is the same work."""
    return math.ceil(profile.inputs / batch_size) * batch_size


def settled(windows: Sequence[Block], agreement: float) -> bool:
    """Whether the last three windows' rates agree: the fastest at most `agreement` (a share) above the slowest."""
    rates = [window.rate for window in windows[-3:]]
    return len(rates) == 3 and max(rates) <= min(rates) * (1 + agreement)


def enough(blocks: Sequence[Block], profile: Profile) -> bool:
    """Whether to stop: the interval is narrow enough, or blocks or time have run out (three blocks at least)."""
    if not blocks or len(blocks) >= profile.most_blocks:
        return bool(blocks)
    if sum(block.seconds for block in blocks) >= profile.blocks_cap_s and len(blocks) >= 3:
        return True
    return len(blocks) >= profile.least_blocks and not noisy([block.rate for block in blocks], profile.half_width)


def noisy(values: Sequence[float], half_width: float) -> bool:
    """Whether the interval of the median is wider than ± `half_width` (a share of the median), or cannot be told."""
    low, high = median_interval(values)
    return len(values) < 6 or (high - low) / 2 > half_width * quantile(values, 0.5)


def quantile(values: Sequence[float], share: float) -> float:
    """The sample quantile: for one half the mean of the middle two where they are two, else the nearest rank."""
    ordered = sorted(values)
    if share == 0.5:
        return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def median_interval(values: Sequence[float], confidence: float = INTERVAL_CONFIDENCE) -> tuple[float, float]:
    """The order statistics that hold the true median with this confidence; below six values their whole range."""
    ordered = sorted(values)
    below = 0
    while below < len(ordered) // 2 and _binomial_cdf(below, len(ordered), 0.5) <= (1 - confidence) / 2:
        below += 1
    rank = max(below, 1)
    return ordered[rank - 1], ordered[-rank]


def upper_bound(values: Sequence[float], share: float, confidence: float) -> float | None:
    """The least order statistic above the true quantile with this confidence; None when there are too few values."""
    ordered, count = sorted(values), len(values)
    tail = 0.0
    bound: float | None = None
    for rank in range(count, 0, -1):  # P(X_(rank) ≥ quantile) = P(Bin(count, share) < rank) = 1 − tail
        tail += _binomial_pmf(rank, count, share)
        if 1 - tail < confidence:
            break
        bound = ordered[rank - 1]
    return bound


def _binomial_pmf(successes: int, trials: int, share: float) -> float:
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    return math.exp(ways + successes * math.log(share) + (trials - successes) * math.log1p(-share))


def _binomial_cdf(successes: int, trials: int, share: float) -> float:
    return math.fsum(_binomial_pmf(count, trials, share) for count in range(successes + 1))


def time_weighted_mean(samples: Sequence[tuple[float, float]]) -> float:
    """The mean over time of (time, value) samples, each pair joined by a straight line. NaN without samples."""
    if len(samples) < 2 or samples[-1][0] <= samples[0][0]:
        return samples[0][1] if samples else math.nan
    pairs = itertools.pairwise(samples)
    area = math.fsum((later - sooner) * (a + b) / 2 for (sooner, a), (later, b) in pairs)
    return area / (samples[-1][0] - samples[0][0])
