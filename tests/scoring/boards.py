"""Small boards, and hypothesis strategies for any board."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from services.scoring.board import Board, FloatArray

METRICS = ("performance", "throughput", "memory", "fairness", "robustness")


def board(rows: Sequence[Sequence[float]], metrics: Sequence[str] = METRICS) -> Board:
    """One dataset, models a, b, c …, the first metrics only as many as there are columns."""
    values = np.array(rows, dtype=float).reshape(len(rows), 1, -1)
    return Board(tuple("abcdefghij"[: len(rows)]), ("all",), tuple(metrics[: values.shape[2]]), values)


def values(low: float = -1e9, high: float = 1e9) -> st.SearchStrategy[float]:
    """Results as they come: few distinct ones (ties), any number, and missing."""
    return st.one_of(st.integers(0, 3).map(float), st.floats(low, high), st.just(float("nan")))


@st.composite
def boards(draw: st.DrawFn, element: st.SearchStrategy[float] | None = None) -> Board:
    """Up to 6 models × 3 datasets × 5 metrics, with ties, constants and gaps."""
    shape = draw(st.tuples(st.integers(0, 6), st.integers(1, 3), st.integers(1, 5)))
    cells: FloatArray = draw(arrays(np.float64, shape, elements=values() if element is None else element))
    return Board(tuple("abcdef"[: shape[0]]), ("x", "y", "z")[: shape[1]], METRICS[: shape[2]], cells)
