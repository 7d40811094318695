"""The AMRS of a board that models join, change and leave one at a time (scoring.md, "Cost")."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sortedcontainers import SortedList

from services.scoring.amrs import steps_between
from services.scoring.board import FloatArray
from services.scoring.gap_sums import GapSums
from services.scoring.method import Epsilon


@dataclass(frozen=True, eq=False)
class Rates:
    """The AMRS, shape (metrics,), with the pairs that made it and the least gap in the base metric that counted."""

    values: FloatArray
    kept_pairs: int
    threshold: float


class RunningAmrs:
    """The models that have every metric, in the order of the base metric, and the slopes between neighbours.

    A landing touches three pairs at most. The threshold of a relative epsilon moves with the greatest base value: since
    the pairs are kept in the order of their gaps, the sum beyond the new threshold is at hand and nothing is estimated.
    """

    def __init__(self, models: Sequence[str], goods: FloatArray, base: int, epsilon: Epsilon) -> None:
        """`goods`, shape models × metrics, has no gap and need not be in order; `base` is a column of it."""
        self._base, self._epsilon = base, epsilon
        self._goods = np.array(goods, dtype=np.float64)
        self._tags = {model: tag for tag, model in enumerate(models)}
        self._free: list[int] = []
        self._order = SortedList(zip((-self._goods[:, base]).tolist(), models, range(len(models)), strict=True))
        tags = np.fromiter((tag for _, _, tag in self._order), dtype=np.int64, count=len(models))
        self._pairs = GapSums(self._rows(tags[:-1], tags[1:]))

    def land(self, model: str, goods: FloatArray) -> None:
        """A model joins with these goods, shape (metrics,), or has them instead of what it had."""
        if model in self._tags:
            self.leave(model)
        tag = self._free.pop() if self._free else len(self._tags)
        if tag == len(self._goods):
            self._goods = np.concatenate([self._goods, np.zeros((max(16, tag // 8), self._goods.shape[1]))])
        self._goods[tag], self._tags[model] = goods, tag
        above, below = self._neighbours(model, tag)
        self._order.add((-float(goods[self._base]), model, tag))
        self._unlink(above, below)
        self._link(above, tag)
        self._link(tag, below)

    def leave(self, model: str) -> None:
        """A model leaves. Raises KeyError for one that is not there."""
        tag = self._tags.pop(model)
        self._free.append(tag)
        above, below = self._neighbours(model, tag)
        self._order.remove((-float(self._goods[tag, self._base]), model, tag))
        self._unlink(above, tag)
        self._unlink(tag, below)
        self._link(above, below)

    def rates(self) -> Rates:
        """What `amrs` would say of all the models that are there now."""
        ends = [self._goods[entry[2], self._base] for entry in (self._order[0], self._order[-1])] if self._order else []
        threshold = self._epsilon.threshold(np.array(ends))
        kept, sums = self._pairs.above(threshold)
        values = sums / kept if kept else np.zeros(self._goods.shape[1])
        values[~np.isfinite(values)] = np.nan
        values[self._base] = 1.0
        return Rates(values, kept, threshold)

    def _neighbours(self, model: str, tag: int) -> tuple[int | None, int | None]:
        """The tags of the next better and the next worse model."""
        key = (-float(self._goods[tag, self._base]), model, tag)
        above = next(self._order.irange(maximum=key, inclusive=(True, False), reverse=True), None)
        below = next(self._order.irange(minimum=key, inclusive=(False, True)), None)
        return above and above[2], below and below[2]

    def _link(self, above: int | None, below: int | None) -> None:
        for row in self._pair(above, below):
            self._pairs.add(row)

    def _unlink(self, above: int | None, below: int | None) -> None:
        for row in self._pair(above, below):
            self._pairs.remove(row)

    def _pair(self, above: int | None, below: int | None) -> FloatArray:
        """One row for GapSums; none at an end of the board, or between models equal in the base metric."""
        if above is None or below is None:
            return np.empty((0, 0))
        return self._rows(np.array([above]), np.array([below]))

    def _rows(self, above: np.ndarray, below: np.ndarray) -> FloatArray:
        """(gap, tag of the better model, slopes…) of each pair whose gap could ever count."""
        with np.errstate(all="ignore"):
            gaps = np.abs(self._goods[below][:, [self._base]] - self._goods[above][:, [self._base]])
            slopes = np.abs(steps_between(self._goods[above], self._goods[below]) / gaps)
        # No pair with an undefined slope leaves a finite mean; infinity says so too, and can be summed.
        slopes[np.isnan(slopes)] = np.inf
        rows: FloatArray = np.hstack([gaps, above[:, np.newaxis].astype(np.float64), slopes])[gaps[:, 0] > 0]
        return rows
