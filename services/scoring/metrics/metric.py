"""A metric: a number about a model's answers, made of sums over examples."""

from collections.abc import Callable
from dataclasses import dataclass

from services.scoring.board import FloatArray
from services.scoring.metrics.answers import Answers


@dataclass(frozen=True)
class Metric:
    """A named number about answers.

    `statistics` gives what each example contributes, shape n × k, or None where the metric does not apply to these
    answers. `value` turns sums of these over examples, shape … × k, into values of shape …; it is vectorised, so a
    resample of the examples costs one sum. `version` grows when the definition changes: old values stay beside new.
    """

    name: str
    version: int
    statistics: Callable[[Answers], FloatArray | None]
    value: Callable[[FloatArray], FloatArray]
    unit: str = "%"
    higher_is_better: bool = True

    def compute(self, answers: Answers) -> float | None:
        """The value over all examples; None where the metric does not apply or there is no example."""
        statistics = self.statistics(answers) if len(answers) else None
        return None if statistics is None else float(self.value(statistics.sum(axis=0)))


def percent_of_examples(sums: FloatArray) -> FloatArray:
    """Sums of (what counts, 1) per example, shape … × 2, as a percentage."""
    result: FloatArray = 100.0 * sums[..., 0] / sums[..., 1]
    return result
