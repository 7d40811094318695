"""Delta metrics: how a model's predictions change where a perturbed copy changes its input (appendix A and B). Pure.

`robustness` and `fairness` are the percentage of variants whose prediction equals the prediction on the original,
right or wrong. Every variant counts once; the examples are what is resampled, as variants of one are not independent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from services.scoring.board import BoolArray, FloatArray, IntArray
from services.scoring.metrics.coded import Rows
from services.scoring.metrics.metric import Metric, percent_of_examples

VERSION = 1


@dataclass(frozen=True, eq=False)
class Comparison:
    """Predictions on variants beside those on the originals of a dataset of `examples` examples.

    Per variant, shape (variants,): `origin` is its example's place, `same` whether both predictions are equal, `gain`
    1 where the variant alone is answered rightly, -1 where the original alone is, else 0; its `kinds` and `groups`.
    """

    examples: int
    origin: IntArray
    same: BoolArray
    gain: IntArray
    kinds: Sequence[str]
    groups: Sequence[str]

    def __len__(self) -> int:
        return self.examples

    def rows(self, tag: str) -> BoolArray:
        """Which variants a tag speaks of: "" for all, "kind:…" or "group:…"."""
        of, _, name = tag.partition(":")
        names = {"kind": self.kinds, "group": self.groups}.get(of)
        return (
            np.array([each == name for each in names], dtype=bool) if names else np.ones(len(self.origin), dtype=bool)
        )

    @property
    def tags(self) -> list[str]:
        """ "" and a tag for every kind and group that occurs."""
        kinds = [f"kind:{kind}" for kind in sorted(set(self.kinds))]
        return ["", *kinds, *(f"group:{group}" for group in sorted(set(self.groups) - {""}))]

    def subset(self, examples: Rows) -> "Comparison":
        """The same of these examples alone, given by their places in ascending order."""
        chosen = np.asarray(examples, dtype=np.int64)
        rows = np.flatnonzero(np.isin(self.origin, chosen)).tolist()
        kinds, groups = ([names[row] for row in rows] for names in (self.kinds, self.groups))
        origin = np.searchsorted(chosen, self.origin[rows])
        return Comparison(len(chosen), origin, self.same[rows], self.gain[rows], kinds, groups)

    @property
    def coverage(self) -> dict[str, int]:
        """How many examples there are, how many have a variant, and how many variants there are."""
        return {
            "examples": self.examples,
            "with_variants": len(np.unique(self.origin)),
            "variants": len(self.origin),
        }


def delta_metrics(suite: str, tags: Sequence[str]) -> list[Metric[Comparison]]:
    """The metrics of a suite: its agreement and its change of accuracy for each tag, and the coverage of all."""
    agreements = [Metric(suite, VERSION, partial(_agreement, tag), _percent_of_variants, tag=tag) for tag in tags]
    changes = [
        Metric(f"{suite}_accuracy_change", VERSION, partial(_change, tag), _percent_of_variants, "points", tag=tag)
        for tag in tags
    ]
    return [*agreements, *changes, Metric(f"{suite}_coverage", VERSION, _coverage, percent_of_examples)]


def slice_metric(suite: str, tag: str) -> Metric[Comparison]:
    """The suite's agreement on the variants of examples that have a tag of the dataset's own; give it their subset."""
    return Metric(suite, VERSION, partial(_agreement, ""), _percent_of_variants, tag=tag)


def of_dataset(tag: str) -> bool:
    """Whether a cell of a suite with this tag is that of a slice of the dataset; else of a transformation or groups."""
    return not tag.startswith(("kind:", "group:")) and tag != ""


def _agreement(tag: str, comparison: Comparison) -> FloatArray | None:
    return _per_example(comparison, comparison.rows(tag), comparison.same)


def _change(tag: str, comparison: Comparison) -> FloatArray | None:
    """The micro-averaged accuracy on the variants less that on their originals, each as often as it has variants."""
    return _per_example(comparison, comparison.rows(tag), comparison.gain)


def _per_example(comparison: Comparison, rows: BoolArray, counted: BoolArray | IntArray) -> FloatArray | None:
    """(what counts, variants) of each example, shape n × 2; None where there is no variant."""
    if not rows.any():
        return None
    origin = comparison.origin[rows]
    sums = [np.bincount(origin, weights, comparison.examples) for weights in (counted[rows], None)]
    return np.column_stack(sums).astype(np.float64)


def _coverage(comparison: Comparison) -> FloatArray:
    """(has a variant, 1) of each example."""
    variants = np.bincount(comparison.origin, minlength=comparison.examples)
    return np.column_stack([variants > 0, np.ones(comparison.examples)]).astype(np.float64)


def _percent_of_variants(sums: FloatArray) -> FloatArray:
    """Sums of (what counts, variants), shape … × 2, as a percentage; NaN for a resample without any variant."""
    counted = 100.0 * sums[..., 0]
    return np.divide(counted, sums[..., 1], out=np.full_like(counted, np.nan), where=sums[..., 1] > 0)
