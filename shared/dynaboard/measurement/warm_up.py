"""Warm-up: blocks that are thrown away, until three in a row agree."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dynaboard.measurement.blocks import Block, rate
from dynaboard.measurement.driver import timed
from dynaboard.measurement.profiles import Profile
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch

WINDOWS = 3


@dataclass(frozen=True)
class WarmUp:
    """What was thrown away. `settled`: whether the last three windows agreed before the time was up."""

    windows: tuple[Block, ...]
    settled: bool

    @property
    def rate(self) -> float:
        """Examples a second in the last windows: what to expect of the blocks."""
        return rate(self.windows[-WINDOWS:])


def settled(windows: Sequence[Block], agreement: float) -> bool:
    """Whether the last three windows' rates agree: the fastest at most `agreement` (a share) above the slowest."""
    rates = [window.rate for window in windows[-WINDOWS:]]
    return len(rates) == WINDOWS and max(rates) <= min(rates) * (1 + agreement)


async def warm_up(predictor: Predictor, batches: Sequence[Batch], profile: Profile) -> WarmUp:
    """Run whole passes until the model is steady or the cap is reached. Raises ModelFailure or PlatformFailure."""
    windows: list[Block] = []
    began = time.perf_counter()
    while True:
        windows.append(await _window(predictor, batches, profile.window_s, began))
        if settled(windows, profile.warmup_agreement):
            return WarmUp(tuple(windows), True)
        if sum(window.seconds for window in windows) >= profile.warmup_cap_s:
            return WarmUp(tuple(windows), False)


async def _window(predictor: Predictor, batches: Sequence[Batch], seconds: float, began: float) -> Block:
    """Whole passes, begun as long as the time is not up."""
    until = time.perf_counter() + seconds

    def passes() -> Iterator[Batch]:
        while time.perf_counter() < until:
            yield from batches

    return await timed(predictor, passes(), began)
