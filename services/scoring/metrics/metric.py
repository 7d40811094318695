"""A metric: a number about a model's answers, made of sums over examples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from services.scoring.board import FloatArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.coded import each_pair


class Counted(Protocol):
    """What a metric is about: answers to so many examples."""

    def __len__(self) -> int:
        """The number of examples, which are the unit of resampling."""


Given = TypeVar("Given", bound=Counted)


@dataclass(frozen=True)
class Metric(Generic[Given]):
    """A named number about answers, or about answers beside those to perturbed copies.

    `statistics` gives what each example contributes, shape n × k, or None where the metric does not apply to these
    answers. `value` turns sums of these over examples, shape … × k, into values of shape …; it is vectorised, so a
    resample of the examples costs one sum. `version` grows when the definition changes: old values stay beside new.
    `tag` names the part it speaks of, where that is not all.
    """

    name: str
    version: int
    statistics: Callable[[Given], FloatArray | None]
    value: Callable[[FloatArray], FloatArray]
    unit: str = "%"
    higher_is_better: bool = True
    tag: str = ""

    def compute(self, answers: Given) -> float | None:
        """The value over all examples; None where the metric does not apply or there is no example."""
        statistics = self.statistics(answers) if len(answers) else None
        return None if statistics is None else float(self.value(statistics.sum(axis=0)))


def mean_metric(
    name: str, version: int, score: Callable[[str, Sequence[str]], float], *, higher_is_better: bool = True
) -> Metric[Answers]:
    """A metric that is the mean over examples of score(prediction, accepted answers), from 0 to 1, in percent."""

    def statistics(answers: Answers) -> FloatArray:
        scores = each_pair(answers.predictions, answers.references, score)
        return np.column_stack([scores, np.ones(len(answers))])

    return Metric(name, version, statistics, percent_of_examples, higher_is_better=higher_is_better)


def percent_of_examples(sums: FloatArray) -> FloatArray:
    """Sums of (what counts, 1) per example, shape … × 2, as a percentage."""
    result: FloatArray = 100.0 * sums[..., 0] / sums[..., 1]
    return result
