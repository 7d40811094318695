"""Fingerprints of examples, exact and of what is left without case, punctuation, accents and blanks. Pure."""

import unicodedata
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np

from dynaboard.task import Task

# Two rows of 64-bit hashes, exact and near, one column an example: 16 bytes each, whatever the text.
# A false match among two million examples against two million has a chance of one in a million.
Prints = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]
SEPARATOR = "\x1f"


def fingerprints(task: Task, examples: Iterable[Mapping[str, Any]]) -> Prints:
    """Of all inputs of each example, shape 2 × n; labels and ids do not count."""
    prints = bytearray()
    for example in examples:
        inputs = [_text(example[name]) for name in task.inputs]
        prints += _hash(SEPARATOR.join(inputs)) + _hash(SEPARATOR.join(map(normalised, inputs)))
    return np.frombuffer(bytes(prints), dtype="<u8").reshape(-1, 2).T


def normalised(text: str) -> str:
    """Letters and digits alone, in small letters without accents, words parted by one blank."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    kept = (letter if letter.isalnum() else " " for letter in plain if not unicodedata.combining(letter))
    return " ".join("".join(kept).split())


def repeated(prints: Prints) -> tuple[int, int]:
    """How many examples occurred earlier already: exactly, and nearly."""
    exact, near = (int(prints.shape[1] - len(np.unique(row))) for row in prints)
    return exact, near


def shared(prints: Prints, other: Prints) -> tuple[int, int]:
    """How many examples of the first the other has too: exactly, and nearly."""
    exact, near = (int(np.isin(mine, theirs).sum()) for mine, theirs in zip(prints, other, strict=True))
    return exact, near


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
