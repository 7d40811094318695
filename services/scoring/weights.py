"""Weights of metrics and datasets: checked, completed with defaults, normalised to sum 1."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from dynaboard.errors import Invalid
from services.scoring.board import BoolArray, FloatArray


def metric_defaults(metrics: Sequence[str], base: str) -> dict[str, float]:
    """The default weights of the paper (section 5.3), not normalised: m - 1 for the base metric, 1 for each other."""
    return {metric: max(len(metrics) - 1.0, 1.0) if metric == base else 1.0 for metric in metrics}


def owners_defaults(paper: Mapping[str, float], owner: Mapping[str, float]) -> dict[str, float]:
    """The task owner's weights over the paper's, in the order of the latter and of nothing else.

    Where that leaves nothing (a slice of a dataset whose weight is 0), it is the paper's: a board never fails by it.
    """
    chosen = {name: owner.get(name, weight) for name, weight in paper.items()}
    return chosen if any(chosen.values()) else dict(paper)


def completed(kind: str, given: Mapping[str, float], defaults: Mapping[str, float]) -> FloatArray:
    """The given weights over the defaults, normalised to sum 1, in the order of the defaults.

    `kind` is "metric" or "dataset", for the sentence. Raises Invalid for an unknown name, a weight that is negative
    or not finite, and weights that are all 0.
    """
    for name, weight in given.items():
        if name not in defaults:
            raise Invalid(f"There is no {kind} '{name}' here; a weight may name: {', '.join(defaults) or 'nothing'}.")
        if not (math.isfinite(weight) and weight >= 0):
            raise Invalid(f"The weight of {kind} '{name}' must be a number of at least 0, not {weight}.")
    weights = np.array([given.get(name, default) for name, default in defaults.items()], dtype=np.float64)
    if len(weights) and not weights.any():
        raise Invalid(f"All {kind} weights are 0; give at least one {kind} a weight above 0.")
    return normalised(weights)


def normalised(weights: FloatArray) -> FloatArray:
    """The weights divided by their sum; all 0 stays all 0. Shape (names,)."""
    greatest = weights.max(initial=0.0)
    if greatest == 0.0:
        return np.zeros_like(weights)
    weights = weights / greatest  # so that no sum of finite weights overflows
    result: FloatArray = weights / weights.sum()
    return result


def redistributed(weights: FloatArray, kept: BoolArray) -> FloatArray:
    """The weight of metrics that are left out goes to the others in proportion; all 0 if none has weight."""
    return weights if kept.all() else normalised(np.where(kept, weights, 0.0))
