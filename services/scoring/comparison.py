"""Predictions on a perturbed copy beside those on its originals: streams out of storage, one Comparison."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from dynaboard.edits import to_original
from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import Task
from dynaboard.perturbed_copy import StoredVariant
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.delta import Comparison
from services.scoring.metrics.qa import normalised


@dataclass
class _Found:
    origin: list[int] = field(default_factory=list)
    same: list[bool] = field(default_factory=list)
    gain: list[int] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


def compare(
    task: Task,
    examples: Iterable[Mapping[str, Any]],
    variants: Iterable[StoredVariant],
    originals: Answers,
    perturbed: Mapping[str, str],
) -> Comparison:
    """Hold each variant's prediction against its original's.

    `examples` and `variants` stand in the dataset's order; `originals` too. `perturbed` maps a variant's id to the
    prediction on it. Raises PlatformFailure for a variant of no example, or one that has no prediction.
    """
    found = _Found()
    remaining = groupby(variants, key=lambda variant: variant.of)
    following = next(remaining, None)
    for place, example in enumerate(examples):
        if following is not None and following[0] == example["id"]:
            for variant in following[1]:
                readings = _readings(task, example, variant, _prediction(variant, perturbed))
                found.origin.append(place)
                found.kinds.append(variant.kind)
                found.groups.append(variant.group)
                found.same.append(_equal(task, readings, [originals.predictions[place]]))
                found.gain.append(
                    _equal(task, readings, originals.references[place])
                    - _equal(task, [originals.predictions[place]], originals.references[place])
                )
            following = next(remaining, None)
    if following is not None:
        raise PlatformFailure(f"The perturbed copy holds variants of {following[0]!r}, which is not in its place.")
    origin, gain = (np.array(numbers, dtype=np.int64) for numbers in (found.origin, found.gain))
    same = np.array(found.same, dtype=bool)
    return Comparison(len(originals), origin, same, gain, found.kinds, found.groups)


def _prediction(variant: StoredVariant, perturbed: Mapping[str, str]) -> str:
    try:
        return perturbed[variant.id]
    except KeyError:
        raise PlatformFailure(f"The stored predictions lack the variant {variant.id!r}.") from None


def _readings(task: Task, example: Mapping[str, Any], variant: StoredVariant, prediction: str) -> list[str]:
    """What a prediction on a variant says of the original.

    An answer is a piece of the perturbed context: mapped back along the edits it is a piece of the original one. Where
    the piece stands in several places there may be several, and any of them will do.
    """
    edits = variant.edits.get(task.of, ()) if task.kind == "span" else ()
    return to_original(example[task.of], edits, prediction) if edits else [prediction]


def _equal(task: Task, given: Sequence[str], accepted: Sequence[str]) -> bool:
    """Whether any is the same: labels as they are, answers once normalised as for the exact match of SQuAD."""
    if task.kind in {"label", "token-labels"}:
        return not set(given).isdisjoint(accepted)
    return not {normalised(text) for text in given}.isdisjoint(normalised(text) for text in accepted)
