"""The reference and the echo in one model: what has `work` is worked on, anything else is answered at once.

It runs as any submission does. The work is that of a small text classifier: words and their n-grams (3 to 6 characters,
as in Bojanowski et al. 2017) hashed into a table too large for a processor's nearest caches, averaged, and two dense
layers. Weights and answers never change.
"""

import zlib
from typing import Any

import numpy as np

BUCKETS, WIDTH, HIDDEN = 2**16, 64, 256
LENGTHS = range(3, 7)
LABELS = ("first", "second", "third")


class Handler:
    """As a submitter writes one."""

    def load(self, model_dir: str) -> None:
        """Make the weights: 16 MiB, from a seed."""
        random = np.random.default_rng(20210607)
        self.table = random.standard_normal((BUCKETS, WIDTH), dtype=np.float32)
        self.first = random.standard_normal((WIDTH, HIDDEN), dtype=np.float32)
        self.second = random.standard_normal((HIDDEN, len(LABELS)), dtype=np.float32)

    def predict(self, examples: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One answer an example."""
        if examples and "work" in examples[0]:
            return [{"id": example["id"], "label": self._label(example["work"])} for example in examples]
        return [{"id": example["id"], "label": "same"} for example in examples]

    def _label(self, text: str) -> str:
        hidden = np.maximum(self.table[_buckets(text)].mean(axis=0) @ self.first, 0)
        return LABELS[int((hidden @ self.second).argmax())]


def _buckets(text: str) -> list[int]:
    """Where the words of a text and their n-grams lie in the table."""
    buckets = []
    for word in text.lower().split():
        padded = f"<{word}>".encode()
        buckets.append(zlib.crc32(padded) % BUCKETS)
        for length in LENGTHS:
            starts = range(len(padded) - length + 1)
            buckets += [zlib.crc32(padded[start : start + length]) % BUCKETS for start in starts]
    return buckets
