"""Where two models differ: parts of the data on which one gains on the other, with false-discovery control. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import false_discovery_control, norm

from services.scoring.board import FloatArray
from services.scoring.replicates import Replicates, Z

# Fewer examples say too little for the normal distribution, and a tag of theirs is not tested.
LEAST = 20


@dataclass(frozen=True, eq=False)
class Compared:
    """Two models' performance (percent) on n examples; `deviations` of first less second under shared resamples."""

    first: float
    second: float
    n: int
    deviations: Replicates

    @property
    def difference(self) -> float:
        """First less second, in points."""
        return self.first - self.second

    @property
    def variance(self) -> float:
        """Of the difference; never below that of one example on which the two differ, as in a part where none does."""
        return max(float(self.deviations.var(ddof=1)), (100.0 / self.n) ** 2)


@dataclass(frozen=True)
class Part:
    """A tag of a dataset, and the two models on its examples.

    `excess` is their difference there less that on the whole dataset; `adjusted_p` tests that it is 0, corrected for
    all parts (Benjamini & Yekutieli 2001: tags overlap, in any way they like).
    """

    dataset: str
    tag: str
    n: int
    first: float
    second: float
    low: float
    high: float
    excess: float
    p: float
    adjusted_p: float


def differing_parts(parts: Sequence[tuple[str, str, Compared, Compared]]) -> list[Part]:
    """Parts as (dataset, tag, on the tag, on the whole dataset), the surest difference first; small ones left out."""
    tested = [part for part in parts if LEAST <= part[2].n < part[3].n]
    if not tested:
        return []
    p = np.array([_p_value(of_tag, whole) for _, _, of_tag, whole in tested])
    adjusted: FloatArray = false_discovery_control(p, method="by")
    found = [
        _part(dataset, tag, of_tag, whole, (float(own), float(corrected)))
        for (dataset, tag, of_tag, whole), own, corrected in zip(tested, p, adjusted, strict=True)
    ]
    return sorted(found, key=lambda part: (part.p, -abs(part.excess), part.dataset, part.tag))


def _p_value(of_tag: Compared, whole: Compared) -> float:
    """Two-sided, of no excess. The whole is share f of the tag and 1 - f of the rest, which is independent of it:

    var(tag - whole) = (1-f)² (var(tag) + var(rest)) = var(whole) + (1 - 2f) var(tag).
    """
    share = of_tag.n / whole.n
    rest = max(whole.variance - share**2 * of_tag.variance, 0.0) / (1 - share) ** 2
    deviation = (1 - share) * float(np.sqrt(of_tag.variance + rest))
    return float(2 * norm.sf(abs(of_tag.difference - whole.difference) / deviation))


def _part(dataset: str, tag: str, of_tag: Compared, whole: Compared, p: tuple[float, float]) -> Part:
    half = Z * float(np.sqrt(of_tag.variance))
    difference = of_tag.difference
    ends = (difference - half, difference + half)
    return Part(dataset, tag, of_tag.n, of_tag.first, of_tag.second, *ends, difference - whole.difference, p[0], p[1])
