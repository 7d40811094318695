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
    value = example[_longest(example, fields)]
    return len(set(_words(value))) >= FEWEST_WORDS or (isinstance(value, str) and len(set(value)) >= FEWEST_LETTERS)


def reordered(example: Mapping[str, Any], fields: Sequence[str], seed: str) -> dict[str, Any]:
    """The example with the words of its longest field in an order drawn from `seed`, and the seed in its id.

    A field is a text or a list of tokens.
    """
    field = _longest(example, fields)
    value, random = example[field], Random(seed)
    words = _words(value)
    made: str | list[str] = _shuffled(words, random)
    if isinstance(value, str):
        made = " ".join(words) if len(set(words)) >= FEWEST_WORDS else "".join(_shuffled(list(value), random))
    return {**example, field: made, "id": f"{example['id']} {seed}"}


def _shuffled(pieces: list[str], random: Random) -> list[str]:
    random.shuffle(pieces)
    return pieces


def _words(value: str | Sequence[str]) -> list[str]:
    return value.split(" ") if isinstance(value, str) else list(value)


def _longest(example: Mapping[str, Any], fields: Sequence[str]) -> str:
    return max(fields, key=lambda field: sum(map(len, _words(example[field]))))
