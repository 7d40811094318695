"""Metrics of labels: accuracy and F1. Where several labels are accepted, any of them is right."""

from functools import partial

import numpy as np

from services.scoring.board import BoolArray, FloatArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.coded import each, each_pair
from services.scoring.metrics.metric import Metric, percent_of_examples


def right(answers: Answers) -> BoolArray:
    """Which predictions are among the accepted labels, shape (n,)."""
    return each_pair(answers.predictions, answers.references, lambda given, accepted: given in accepted) > 0


def _accuracy(answers: Answers) -> FloatArray | None:
    return np.column_stack([right(answers), np.ones(len(answers))]) if answers.labels else None


def _counts(answers: Answers, label: str) -> FloatArray:
    """True positives, false positives and false negatives of one label for each example, shape n × 3.

    An example whose prediction is accepted counts for the predicted label, else for the first accepted one.
    """
    hits = right(answers)
    predicted = each(answers.predictions, lambda given: given == label) > 0
    first = each(answers.references, lambda accepted: accepted[0] == label) > 0
    return np.column_stack([predicted & hits, predicted & ~hits, first & ~hits]).astype(np.float64)


def _label_counts(label: str, answers: Answers) -> FloatArray | None:
    counts = _counts(answers, label) if label in answers.labels else None
    return counts if counts is not None and counts.any() else None


def _all_counts(answers: Answers) -> FloatArray | None:
    return np.hstack([_counts(answers, label) for label in answers.labels]) if answers.labels else None


def _f1(sums: FloatArray) -> FloatArray:
    """F1 of (true positives, false positives, false negatives), shape … × 3; 0 where the label does not occur."""
    positives = 2 * sums[..., 0] + sums[..., 1] + sums[..., 2]
    return np.asarray(100.0 * 2 * sums[..., 0] / np.where(positives > 0, positives, 1.0))


def _macro_f1(sums: FloatArray) -> FloatArray:
    """The mean of F1 over the labels that occur among references or predictions, as scikit-learn's default."""
    counts = sums.reshape(*sums.shape[:-1], -1, 3)
    occurring = counts.any(axis=-1)
    return np.asarray(np.where(occurring, _f1(counts), 0.0).sum(axis=-1) / occurring.sum(axis=-1))


ACCURACY = Metric("accuracy", 1, _accuracy, percent_of_examples)
MACRO_F1 = Metric("macro_f1", 1, _all_counts, _macro_f1)


def f1_of(label: str) -> Metric[Answers]:
    """The F1 of one label, named `f1_` and the label; it does not apply where the label never occurs."""
    return Metric(f"f1_{label}", 1, partial(_label_counts, label), _f1)
