"""Metrics of a model's probabilities: do they rank (AUROC), do they mean what they say (calibration)?

Neither is a plain mean over examples. Each example contributes its share of the value with everything else held fixed
(DeLong 1988 for the AUROC): the value over all examples is exact, and a resample of the shares gives its uncertainty.
"""

import numpy as np

from services.scoring.board import BoolArray, FloatArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.classification import right
from services.scoring.metrics.coded import each
from services.scoring.metrics.metric import Metric, percent_of_examples
from services.scoring.metrics.qa import exact_matches

BINS = 15  # as in Guo et al. 2017


def placements(values: FloatArray, among: FloatArray) -> FloatArray:
    """The share of `among` below each value, ties counted half; shapes (n,), (m,) -> (n,)."""
    ordered = np.sort(among)
    below = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right")
    return np.asarray(below / (2 * len(ordered)))


def positives(answers: Answers, label: str) -> BoolArray:
    """Which examples accept this label and no other, shape (n,)."""
    return each(answers.references, lambda accepted: set(accepted) == {label}) > 0


def negatives(answers: Answers, label: str) -> BoolArray:
    """Which examples do not accept this label, shape (n,)."""
    return each(answers.references, lambda accepted: label not in accepted) > 0


def _label_shares(scores: FloatArray, positive: BoolArray, negative: BoolArray) -> FloatArray:
    """(is positive, its placement, is negative, its placement, AUROC) of each example, shape n × 5."""
    shares = np.zeros((len(scores), 5))
    shares[:, 0], shares[:, 2] = positive, negative
    shares[positive, 1] = placements(scores[positive], scores[negative])
    shares[negative, 3] = 1 - placements(scores[negative], scores[positive])
    shares[:, 4] = shares[positive, 1].mean()
    return shares


def _auroc(answers: Answers) -> FloatArray | None:
    """Of the first label where there are two, else of each label against the rest.

    An example that accepts a label among others neither is nor is not of it, and is left out for that label.
    """
    if answers.probabilities is None or not answers.labels:
        return None
    shares = [np.ones((len(answers), 1))]
    for column, label in enumerate(answers.labels[:1] if len(answers.labels) == 2 else answers.labels):
        of, no = positives(answers, label), negatives(answers, label)
        if of.any() and no.any():
            shares.append(_label_shares(answers.probabilities[:, column], of, no))
    return np.hstack(shares) if len(shares) > 1 else None


def _mean_auroc(sums: FloatArray) -> FloatArray:
    """Mean over labels of: mean placement of positives + of negatives - AUROC; shape … × (1 + 5 labels) -> …"""
    shares = sums[..., 1:].reshape(*sums.shape[:-1], -1, 5)
    whole = shares[..., 4] / sums[..., :1]
    # A resample without any positive (or negative) says nothing about them: their share keeps its mean.
    above = np.where(shares[..., 0] > 0, shares[..., 1] / np.maximum(shares[..., 0], 1), whole)
    below = np.where(shares[..., 2] > 0, shares[..., 3] / np.maximum(shares[..., 2], 1), whole)
    return np.asarray(100.0 * (above + below - whole).mean(axis=-1))


def _stated(answers: Answers) -> FloatArray | None:
    """The probability the model gave to its own prediction, shape (n,)."""
    if not answers.labels:
        return answers.confidences
    if answers.probabilities is None:
        return None
    column = {label: index for index, label in enumerate(answers.labels)}
    chosen = each(answers.predictions, lambda given: column[given]).astype(np.int64)
    return np.asarray(answers.probabilities[np.arange(len(answers)), chosen])


def _calibration(answers: Answers) -> FloatArray | None:
    """Confidence minus correctness, with the sign of its bin, so that the mean is the expected calibration error."""
    stated = _stated(answers)
    if stated is None or not ((stated >= 0) & (stated <= 1)).all():
        return None
    gaps = stated - (right(answers) if answers.labels else exact_matches(answers))
    bins = np.clip(np.ceil(stated * BINS).astype(np.int64) - 1, 0, BINS - 1)
    signs = np.where(np.bincount(bins, weights=gaps, minlength=BINS) < 0, -1.0, 1.0)
    return np.column_stack([gaps * signs[bins], np.ones(len(answers))])


AUROC = Metric("auroc", 1, _auroc, _mean_auroc)
CALIBRATION_ERROR = Metric("calibration_error", 1, _calibration, percent_of_examples, higher_is_better=False)
