"""What is ranked: models × datasets × metrics, as a value that nobody can change afterwards."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Board:
    """The raw results of one task.

    `values` has the shape models × datasets × metrics, each metric in its own unit (percent, examples/s, GiB);
    NaN marks a result that does not exist yet. The array is copied and made read-only.
    `models` are stable ids: they break ties, so the same results give the same order whatever the row order.
    `inapplicable` names the (dataset, metric) pairs that no model can have, such as fairness where nobody is mentioned.
    Raises ValueError for a wrong shape, a doubled name or an infinite value.
    """

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    metrics: tuple[str, ...]
    values: FloatArray
    inapplicable: frozenset[tuple[str, str]] = frozenset()

    def __post_init__(self) -> None:
        shape = (len(self.models), len(self.datasets), len(self.metrics))
        # Column by column: each metric on each dataset is then one stretch of memory, and ranking goes along it.
        values = np.array(self.values, dtype=np.float64, order="F")
        if values.shape != shape:
            raise ValueError(f"values have the shape {values.shape}, the names say {shape}")
        for names in (self.models, self.datasets, self.metrics):
            if len(set(names)) != len(names):
                raise ValueError("a name occurs twice")
        if np.isinf(values).any():
            raise ValueError("a result is infinite")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @cached_property
    def applies(self) -> BoolArray:
        """Which metrics a dataset can have, shape datasets × metrics."""
        names = [[(dataset, metric) not in self.inapplicable for metric in self.metrics] for dataset in self.datasets]
        return np.array(names, dtype=bool).reshape(len(self.datasets), len(self.metrics))

    @cached_property
    def measured(self) -> BoolArray:
        """Which metrics any model has on a dataset, shape datasets × metrics."""
        return np.asarray(~np.isnan(self.values).all(axis=0))

    @cached_property
    def id_rank(self) -> IntArray:
        """The place of each model in the order of the ids, shape (models,)."""
        rank = np.empty(len(self.models), dtype=np.int64)
        rank[sorted(range(len(self.models)), key=self.models.__getitem__)] = np.arange(len(self.models))
        return rank
