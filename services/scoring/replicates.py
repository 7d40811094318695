"""A cell's value had other examples been drawn, or other blocks measured: one number a resample. Pure.

Resample r of a dataset draws the same examples for every model, so replicates of two models are compared one by one and
their common luck cancels. Blocks of measurements are each model's own: those draws are independent between models.
"""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256

import numpy as np
import numpy.typing as npt
from scipy.stats import norm, t

from services.scoring.board import FloatArray
from services.scoring.intervals import CONFIDENCE, REPLICATES

Replicates = npt.NDArray[np.float32]  # four bytes: seven digits are more than any interval can bear
_STORED = np.dtype("<f4")
Z = float(norm.ppf((1 + CONFIDENCE) / 2))


def encoded(values: FloatArray) -> bytes:
    """As the table keeps them: four bytes each, little-endian."""
    return values.astype(_STORED).tobytes()


def decoded(stored: bytes, value: float) -> Replicates:
    """What `encoded` made; a resample that said nothing (NaN) says the cell's `value`."""
    replicates = np.frombuffer(stored, dtype=_STORED).astype(np.float32)
    return np.where(np.isnan(replicates), np.float32(value), replicates)


def seed_of_cell(*key: str) -> int:
    """The seed of draws that belong to one model's measurement alone."""
    return int(sha256("\n".join(key).encode()).hexdigest()[:16], 16)


def of_blocks(
    blocks: Sequence[float], value: float, seed: int, average: Callable[..., FloatArray], count: int = REPLICATES
) -> Replicates:
    """The value of a cost under resamples of its blocks; `average` (np.median, np.mean) made it from them.

    A few blocks vary less among their own resamples than in truth: the deviations are widened by
    √(n/(n-1)) · t/z (Hesterberg 2015, section 4.3), which gives Student's interval for a mean of n blocks.
    A single block says nothing of its spread: all replicates are the value.
    """
    size = len(blocks)
    if size < 2:
        return np.full(count, value, dtype=np.float32)
    draws = np.random.default_rng(seed).integers(0, size, (count, size))
    resampled = average(np.asarray(blocks, dtype=np.float64)[draws], axis=1)
    widening = np.sqrt(size / (size - 1)) * float(t.ppf((1 + CONFIDENCE) / 2, size - 1)) / Z
    centre = average(np.asarray(blocks, dtype=np.float64), axis=0)
    return np.asarray(value + (resampled - centre) * widening, dtype=np.float32)


def of_interval(value: float, low: float, high: float, seed: int, count: int = REPLICATES) -> Replicates:
    """Stand-ins for a cell that has an interval but no replicates: a normal distribution's points in a mixed order.

    Independent of every other model's, so differences look less sure than they are.
    """
    points = _normal_points(count) * (high - low) / (2 * Z) + value
    return np.asarray(np.random.default_rng(seed).permutation(points), dtype=np.float32)


@cache
def _normal_points(count: int) -> FloatArray:
    """As many equally likely points of the standard normal distribution; made once, as a board has ten thousand."""
    points = np.asarray(norm.ppf((np.arange(count) + 0.5) / count))
    points.flags.writeable = False
    return points
