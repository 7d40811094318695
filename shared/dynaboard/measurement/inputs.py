"""The inputs a model is measured with: fixed, spread over lengths, the same for every model. Pure."""

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

SEED = "dynaboard measurement inputs"


def stratified(examples: Sequence[Mapping[str, Any]], count: int, fields: Sequence[str]) -> list[Mapping[str, Any]]:
    """Choose `count` examples spread evenly over the lengths of their `fields`, in a fixed mixed order.

    The same for every model: no clock and no chance beyond a fixed seed. Fewer examples than `count` are repeated.
    """
    if not examples:
        raise ValueError("there is nothing to measure with: no examples")
    by_length = sorted(examples, key=lambda example: (sum(len(example[field]) for field in fields), str(example["id"])))
    chosen = [by_length[int((index + 0.5) * len(by_length) / count)] for index in range(count)]
    Random(SEED).shuffle(chosen)
    return chosen


def pass_length(inputs: int, batch_size: int) -> int:
    """Inputs in one pass: at least so many, and whole batches, so that every pass is the same work."""
    return math.ceil(inputs / batch_size) * batch_size
