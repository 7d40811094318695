"""A column of few different values: the values once, and a number for each row. Two million labels take 8 MB."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

import numpy as np

from services.scoring.board import FloatArray, IntArray

Value = TypeVar("Value")
Other = TypeVar("Other")
Rows = Sequence[int] | IntArray
Codes = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
# Iterating makes so many Python objects at a time.
_AT_ONCE = 65_536
# A table of all pairs that may be, where they are so few; else the pairs are sorted.
_TABLE = 65_536


@dataclass(frozen=True, eq=False)
class Coded(Sequence[Value], Generic[Value]):
    """`values[codes[row]]` is the value of a row; `codes` has shape (n,)."""

    values: Sequence[Value]
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, row: int) -> Value: ...
    @overload
    def __getitem__(self, row: slice) -> "Coded[Value]": ...
    def __getitem__(self, row: int | slice) -> "Value | Coded[Value]":
        if isinstance(row, slice):
            return Coded(self.values, self.codes[row])
        value: Value = self.values[self.codes[row]]
        return value

    def __iter__(self) -> Iterator[Value]:
        for start in range(0, len(self.codes), _AT_ONCE):
            for code in self.codes[start : start + _AT_ONCE].tolist():
                yield self.values[code]


def taken(column: Sequence[Value], rows: Rows) -> Sequence[Value]:
    """Some rows of a column."""
    if isinstance(column, Coded):
        return Coded(column.values, column.codes[np.asarray(rows, dtype=np.int64)])
    return [column[row] for row in rows]


def each(column: Sequence[Value], function: Callable[[Value], float]) -> FloatArray:
    """A function of every row, computed once for each different value of a coded column; shape (n,)."""
    if isinstance(column, Coded):
        return np.array([function(value) for value in column.values], dtype=np.float64)[column.codes]
    return np.fromiter(map(function, column), dtype=np.float64, count=len(column))


def each_pair(first: Sequence[Value], second: Sequence[Other], function: Callable[[Value, Other], float]) -> FloatArray:
    """A function of every row of two columns, computed once for each different pair of coded ones; shape (n,)."""
    if not (isinstance(first, Coded) and isinstance(second, Coded)):
        rows = zip(first, second, strict=True)
        return np.fromiter((function(*row) for row in rows), dtype=np.float64, count=len(first))
    width = len(second.values)
    pairs = first.codes.astype(np.int64) * width + second.codes
    if len(first.values) * width <= _TABLE:
        table = np.zeros(len(first.values) * width)
        found = np.flatnonzero(np.bincount(pairs, minlength=len(table)))
        table[found] = _of_pairs(found, first, second, function)
        return np.asarray(table[pairs])
    found, places = np.unique(pairs, return_inverse=True)
    return np.asarray(_of_pairs(found, first, second, function)[places])


def _of_pairs(
    pairs: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    first: Coded[Value],
    second: Coded[Other],
    function: Callable[[Value, Other], float],
) -> FloatArray:
    codes = zip(*(part.tolist() for part in np.divmod(pairs, len(second.values))), strict=True)
    values = (function(first.values[one], second.values[other]) for one, other in codes)
    return np.fromiter(values, dtype=np.float64, count=len(pairs))
