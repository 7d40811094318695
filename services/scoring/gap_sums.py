"""Pairs of neighbours ordered by their gap, with the sum of the slopes of all pairs beyond any gap at hand."""

from bisect import bisect_right

import numpy as np

from services.scoring.board import FloatArray

BLOCK = 512
_GAP, _TAG, _SLOPES = 0, 1, 2


class GapSums:
    """Blocks of rows (gap, tag, slope of each metric), ordered by gap and tag; each block knows its sum.

    A sum is always taken anew over its block, never corrected by adding and taking away: a pair with a tiny gap has a
    slope so great that its rounding would stay behind for ever. Adding, removing and summing take O(BLOCK + n / BLOCK).
    """

    def __init__(self, rows: FloatArray) -> None:
        """`rows`, shape pairs × (2 + metrics): gap, tag (unique, whole) and slopes, in any order."""
        rows = rows[np.lexsort((rows[:, _TAG], rows[:, _GAP]))]
        cuts = range(BLOCK, len(rows), BLOCK)
        self._blocks = [block.copy() for block in np.split(rows, cuts)]
        self._starts = [_start(block) for block in self._blocks]
        self._sums = np.array([_sum(block) for block in self._blocks])
        self._counts = np.array([len(block) for block in self._blocks])

    def add(self, row: FloatArray) -> None:
        """One pair more, as (gap, tag, slopes…)."""
        number, place = self._find(row)
        block = self._blocks[number]
        self._replace(number, np.concatenate([block[:place], row[np.newaxis], block[place:]]))
        if len(self._blocks[number]) > 2 * BLOCK:
            self._split(number)

    def remove(self, row: FloatArray) -> None:
        """One pair less; its slopes need not be given. Raises KeyError for a pair that is not there."""
        number, place = self._find(row)
        block = self._blocks[number]
        if place == 0 or tuple(block[place - 1, :_SLOPES]) != tuple(row[:_SLOPES]):
            raise KeyError(f"there is no pair {row[_TAG]:.0f} with the gap {row[_GAP]}")
        self._replace(number, np.concatenate([block[: place - 1], block[place:]]))
        if not len(self._blocks[number]) and len(self._blocks) > 1:
            self._drop(number)

    def above(self, threshold: float) -> tuple[int, FloatArray]:
        """How many pairs have a gap greater than this, and the sums of their slopes, shape (metrics,)."""
        number = max(bisect_right(self._starts, (threshold, np.inf)) - 1, 0)
        block = self._blocks[number]
        partly = block[int(np.searchsorted(block[:, _GAP], threshold, side="right")) :]
        with np.errstate(over="ignore"):
            sums = _sum(partly) + self._sums[number + 1 :].sum(axis=0)
        return len(partly) + int(self._counts[number + 1 :].sum()), sums

    def _find(self, row: FloatArray) -> tuple[int, int]:
        """The block of a pair, and the place in it after all pairs up to this one."""
        gap, tag = row[_GAP], row[_TAG]
        number = max(bisect_right(self._starts, (gap, tag)) - 1, 0)
        block = self._blocks[number]
        first, last = (int(np.searchsorted(block[:, _GAP], gap, side=side)) for side in ("left", "right"))
        return number, first + int(np.searchsorted(block[first:last, _TAG], tag, side="right"))

    def _replace(self, number: int, block: FloatArray) -> None:
        self._blocks[number], self._starts[number] = block, _start(block)
        self._sums[number], self._counts[number] = _sum(block), len(block)

    def _split(self, number: int) -> None:
        upper, lower = self._blocks[number][:BLOCK], self._blocks[number][BLOCK:]
        self._blocks.insert(number, upper)
        self._starts.insert(number, _start(upper))
        self._sums = np.insert(self._sums, number, _sum(upper), axis=0)
        self._counts = np.insert(self._counts, number, len(upper))
        self._replace(number + 1, lower.copy())

    def _drop(self, number: int) -> None:
        del self._blocks[number], self._starts[number]
        self._sums = np.delete(self._sums, number, axis=0)
        self._counts = np.delete(self._counts, number)


def _start(block: FloatArray) -> tuple[float, float]:
    return (float(block[0, _GAP]), float(block[0, _TAG])) if len(block) else (-np.inf, -np.inf)


def _sum(block: FloatArray) -> FloatArray:
    with np.errstate(over="ignore"):
        total: FloatArray = block[:, _SLOPES:].sum(axis=0)
    return total
