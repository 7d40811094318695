"""Warm-up: blocks that are thrown away, until the model gets no faster."""

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
    """What was thrown away. `settled`: whether it got no faster any more before the time was up."""

    windows: tuple[Block, ...]
    settled: bool

    @property
    def rate(self) -> float:
        """Examples a second in the last windows: what to expect of the blocks."""
        return rate(self.windows[-WINDOWS:])


def settled(windows: Sequence[Block], agreement: float) -> bool:
    """Whether none of the last three windows was faster than all before them by more than `agreement` (a share).

    Not whether they agree: beside others at work they hardly ever do, and that says nothing of the model.
    """
    rates = [window.rate for window in windows]
    before, last = rates[:-WINDOWS], rates[-WINDOWS:]
    return bool(before) and max(last) <= max(before) * (1 + agreement)


async def warm_up(predictor: Predictor, batches: Sequence[Batch], profile: Profile) -> WarmUp:
    """Run whole passes until the model gets no faster or the cap is reached. Raises ModelFailure or PlatformFailure."""
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
