"""An operator's metric, held so that what goes wrong in it is told with its name, and stops nothing else."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from dynaboard.errors import PlatformFailure, readable
from services.scoring.board import FloatArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.metric import Metric

LONGEST = 200
Result = TypeVar("Result")


class MetricFailure(PlatformFailure):
    """A metric that an operator added failed."""

    def __init__(self, metric: Metric[Answers], what: str) -> None:
        self.metric = metric.name, str(metric.version)
        super().__init__(f"The metric {metric.name} (version {metric.version}) failed: {readable(what)[:LONGEST]}")


def guarded(metric: Metric[Answers]) -> Metric[Answers]:
    """The metric, whose functions raise MetricFailure for any error of theirs and for what no metric may give."""
    return replace(metric, statistics=partial(_statistics, metric), value=partial(_value, metric))


def _statistics(metric: Metric[Answers], answers: Answers) -> FloatArray | None:
    found = _tried(metric, partial(metric.statistics, answers))
    if found is None:
        return None
    shape = np.shape(found)
    if len(shape) != 2 or shape[0] != len(answers):
        raise MetricFailure(metric, f"its statistics of {len(answers)} answers have the shape {shape}")
    return found


def _value(metric: Metric[Answers], sums: FloatArray) -> FloatArray:
    found = _tried(metric, partial(metric.value, sums))
    if np.shape(found) != np.shape(sums)[:-1]:
        raise MetricFailure(metric, f"its value of sums of shape {np.shape(sums)} has the shape {np.shape(found)}")
    return found


def _tried(metric: Metric[Answers], work: Callable[[], Result]) -> Result:
    try:
        return work()
    except Exception as error:  # it is somebody else's code: whatever it raises is that metric's failure
        raise MetricFailure(metric, f"{type(error).__name__}: {error}") from error
