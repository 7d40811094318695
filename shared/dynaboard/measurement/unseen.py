"""Texts that a model has not seen and that cost it the same: the words of one it has seen, in another order. Pure.

Same letters, same words, same length: for a tokenizer and for a network the same work, for a cache a miss.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

# Fewer words can be ordered in so few ways that one may come twice.
FEWEST_WORDS = 5
FEWEST_LETTERS = 8


def reorderable(example: Mapping[str, Any], fields: Sequence[str]) -> bool:
    """Whether an example has enough words (or letters, where a script has no spaces) to be put in an own order."""
    text = _longest(example, fields)[1]
    return len(set(text.split())) >= FEWEST_WORDS or len(set(text)) >= FEWEST_LETTERS


def reordered(example: Mapping[str, Any], fields: Sequence[str], seed: str) -> dict[str, Any]:
    """The example with the words of its longest field in an order drawn from `seed`, and the seed in its id."""
    field, text = _longest(example, fields)
    words = text.split(" ")
    if len(set(words)) >= FEWEST_WORDS:
        Random(seed).shuffle(words)
        changed = " ".join(words)
    else:
        letters = list(text)
        Random(seed).shuffle(letters)
        changed = "".join(letters)
    return {**example, field: changed, "id": f"{example['id']} {seed}"}


def _longest(example: Mapping[str, Any], fields: Sequence[str]) -> tuple[str, str]:
    return max(((field, str(example[field])) for field in fields), key=lambda pair: len(pair[1]))
