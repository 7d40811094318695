"""What an operator's metric may do wrong, and how it is told."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from services.scoring.board import FloatArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.metric import Metric, mean_metric
from services.scoring.metrics.plug import MetricFailure, guarded

ANSWERS = Answers(["a", "b"], [("a",), ("c",)])
GOOD = mean_metric("shouted", 3, lambda prediction, accepted: float(prediction in accepted))


def refuses(_: object) -> FloatArray:
    """An operator's mistake."""
    raise KeyError("prob")


def test_a_good_metric_is_as_it_was() -> None:
    assert guarded(GOOD).compute(ANSWERS) == GOOD.compute(ANSWERS) == 50
    assert guarded(replace(GOOD, statistics=lambda _: None)).compute(ANSWERS) is None


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        (replace(GOOD, statistics=refuses), "KeyError: 'prob'"),
        (replace(GOOD, value=refuses), "KeyError: 'prob'"),
        (replace(GOOD, statistics=lambda _: np.ones(2)), r"its statistics of 2 answers have the shape \(2,\)"),
        (replace(GOOD, statistics=lambda _: np.ones((3, 1))), r"its statistics of 2 answers have the shape \(3, 1\)"),
        (replace(GOOD, value=lambda sums: sums), r"its value of sums of shape \(2,\) has the shape \(2,\)"),
    ],
)
def test_what_goes_wrong_is_told_with_the_metrics_name(metric: Metric[Answers], said: str) -> None:
    with pytest.raises(MetricFailure, match=rf"The metric shouted \(version 3\) failed: {said}") as failure:
        guarded(metric).compute(ANSWERS)
    assert failure.value.metric == ("shouted", "3")


def test_a_long_complaint_is_cut() -> None:
    def complains(_: Answers) -> FloatArray:
        raise ValueError("long " * 1_000)

    statistics: Callable[[Answers], FloatArray] = complains
    with pytest.raises(MetricFailure) as failure:
        guarded(replace(GOOD, statistics=statistics)).compute(ANSWERS)
    assert len(failure.value.detail) < 300
