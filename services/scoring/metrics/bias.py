"""Unintended bias towards identity terms: three AUCs per term, and two numbers over all terms.

Borkan et al. 2019 ("Nuanced Metrics for Measuring Unintended Bias") and the AMI shared task at EVALITA 2020. A term's
subgroup are the examples that mention it (tag `identity:TERM`), its background all others. All values in percent.

An interval resamples the examples, each with its share of the AUC as in services.scoring.metrics.confidence.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from services.scoring.board import BoolArray, FloatArray
from services.scoring.intervals import REPLICATES, Estimate, ends, resampled_sums
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.coded import Rows
from services.scoring.metrics.confidence import negatives, placements, positives
from services.scoring.metrics.metric import Metric

PREFIX = "identity:"
# A dataset that holds both, as AMI's test set does, tags its examples: AUC_raw is of the raw ones, the rest of these.
RAW, SYNTHETIC = "raw", "synthetic"
POWER = -5.0  # of Jigsaw's generalised mean: it weighs the worst terms most
VERSION = 1
# The name and version that stand for them all.
BIAS = ("ami_bias", str(VERSION))
_BATCH_BYTES = 32 * 2**20
_COLUMNS = 10
NAMES = ("auc_subgroup", "auc_bpsn", "auc_bnsp")


@dataclass(frozen=True, eq=False)
class _Scored:
    """Scores of the positive label and which examples are of it, shapes (n,); an example may be neither."""

    scores: FloatArray
    positive: BoolArray
    negative: BoolArray

    @classmethod
    def of(cls, answers: Answers) -> "_Scored | None":
        """None where there is no probability, or there are not two labels: the first of them is the positive one."""
        if answers.probabilities is None or len(answers.labels) != 2:
            return None
        label = answers.labels[0]
        positive = positives(answers, label)
        negative = negatives(answers, label)
        return cls(answers.probabilities[:, 0], positive, negative)

    def among(self, rows: BoolArray) -> "_Scored":
        """The same, where only some examples count."""
        return _Scored(self.scores, self.positive & rows, self.negative & rows)

    def shares(self, positive: BoolArray, negative: BoolArray) -> tuple[FloatArray, FloatArray]:
        """The share of the negatives below each positive and of the positives above each negative, 0 elsewhere."""
        above, below = np.zeros(len(self.scores)), np.zeros(len(self.scores))
        above[positive] = placements(self.scores[positive], self.scores[negative])
        below[negative] = 1 - placements(self.scores[negative], self.scores[positive])
        return above, below


def bias_estimates(
    answers: Answers, tags: Mapping[str, Rows], seed: int, replicates: int = REPLICATES
) -> list[Estimate]:
    """The AUCs of every identity term with both labels within and without, then `ami_bias` and `jigsaw_bias`.

    `tags` maps a tag to the places of its examples. Empty where the model gave no probabilities or no tag is a term's.
    """
    everything = _Scored.of(answers)
    if everything is None:
        return []
    scored = everything.among(_mask(tags[SYNTHETIC], len(answers))) if SYNTHETIC in tags else everything
    members = {tag: _mask(rows, len(answers)) for tag, rows in sorted(tags.items()) if tag.startswith(PREFIX)}
    members = {tag: rows for tag, rows in members.items() if _has_both(scored, rows)}
    if not members:
        return []
    sums = _sums(scored, list(members.values()), seed, replicates)
    aucs = _aucs(sums)
    sizes = [int((rows & (scored.positive | scored.negative)).sum()) for rows in members.values()]
    per_term = [
        _estimate(_metric(name, tag), aucs[:, term, column], size)
        for term, (tag, size) in enumerate(zip(members, sizes, strict=True))
        for column, name in enumerate(NAMES)
    ]
    raw = everything.among(_mask(tags[RAW], len(answers))) if RAW in tags else everything
    overall = _overall(raw, seed, replicates)
    scores = {"ami_bias": (overall + aucs.mean(axis=(1, 2))) / 2, "jigsaw_bias": _jigsaw(overall, aucs)}
    return [*per_term, *(_estimate(_metric(name), values, len(answers)) for name, values in scores.items())]


def _jigsaw(overall: FloatArray, aucs: FloatArray) -> FloatArray:
    """A quarter each of the overall AUC and of the generalised mean over terms of each kind (… × terms × 3)."""
    with np.errstate(divide="ignore"):  # an AUC of 0 makes its mean 0
        means = (aucs**POWER).mean(axis=1) ** (1 / POWER)
    return np.asarray((overall + means.sum(axis=-1)) / 4)


def _metric(name: str, tag: str = "") -> Metric[Answers]:
    return Metric(name, VERSION, lambda _: None, np.asarray, tag=tag)


def _estimate(metric: Metric[Answers], values: FloatArray, n: int) -> Estimate:
    """The first value is that of the whole, the others of resamples."""
    value = 100.0 * float(values[0])
    return Estimate(metric, value, *ends(metric, value, 100.0 * values[1:]), n)


def _mask(rows: Rows, count: int) -> BoolArray:
    mask = np.zeros(count, dtype=bool)
    mask[rows] = True
    return mask


def _has_both(scored: _Scored, rows: BoolArray) -> bool:
    return all((label & part).any() for label in (scored.positive, scored.negative) for part in (rows, ~rows))


def _sums(scored: _Scored, members: Sequence[BoolArray], seed: int, replicates: int) -> FloatArray:
    """Sums of every term's statistics over all examples, then over each resample: (1 + replicates) × terms × 10."""
    at_once = max(1, _BATCH_BYTES // (8 * _COLUMNS * len(scored.scores)))
    found = []
    for start in range(0, len(members), at_once):
        batch = members[start : start + at_once]
        columns = [column for rows in batch for column in _statistics(scored, rows)]
        statistics: FloatArray = np.column_stack(columns).astype(np.float64)
        sums = np.vstack([statistics.sum(axis=0), resampled_sums(statistics, seed, replicates)])
        found.append(sums.reshape(len(sums), len(batch), -1))
    return np.concatenate(found, axis=1)


def _statistics(scored: _Scored, member: BoolArray) -> Iterator[FloatArray | BoolArray]:
    """Of each example: which of four sets it is in, and its shares in the three AUCs; ten columns of shape (n,)."""
    inside = scored.among(member)
    outside = scored.among(~member)
    yield from (inside.positive, inside.negative, outside.positive, outside.negative)
    yield from scored.shares(inside.positive, inside.negative)
    yield from scored.shares(outside.positive, inside.negative)
    yield from scored.shares(inside.positive, outside.negative)


def _aucs(sums: FloatArray) -> FloatArray:
    """AUC-subgroup, -BPSN and -BNSP out of sums of shape (1 + replicates) × terms × 10; 0 to 1, … × terms × 3."""
    positives, negatives = sums[..., [0, 2, 0]], sums[..., [1, 1, 3]]
    return _auc(positives, negatives, sums[..., [4, 6, 8]], sums[..., [5, 7, 9]])


def _overall(scored: _Scored, seed: int, replicates: int) -> FloatArray:
    """The AUC of all examples, then of each resample; 0 to 1, shape (1 + replicates,)."""
    statistics = np.column_stack([scored.positive, scored.negative, *scored.shares(scored.positive, scored.negative)])
    sums = np.vstack([statistics.sum(axis=0), resampled_sums(statistics, seed, replicates)])
    return _auc(*sums.T)


def _auc(positives: FloatArray, negatives: FloatArray, above: FloatArray, below: FloatArray) -> FloatArray:
    """Numbers of positives and negatives and the sums of their shares, each (1 + replicates) × …, the whole first."""
    whole = above[0] / positives[0]
    # A resample without any positive (or negative) says nothing about them: their share keeps its mean.
    over = np.where(positives > 0, above / np.maximum(positives, 1), whole)
    under = np.where(negatives > 0, below / np.maximum(negatives, 1), whole)
    return np.asarray(np.clip(over + under - whole, 0.0, 1.0))
