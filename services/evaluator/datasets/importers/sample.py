"""A fixed subsample of a large file: which examples are drawn depends on their ids alone. Pure."""

import heapq
from collections.abc import Iterable, Iterator
from hashlib import sha256

from services.evaluator.datasets.canonical import Example


def drawn(examples: Iterable[Example], size: int) -> Iterator[Example]:
    """The `size` examples with the smallest SHA-256 of their id, in the file's order. Memory: `size` examples."""
    heap: list[tuple[int, int, Example]] = []
    for place, example in enumerate(examples):
        rank = -int.from_bytes(sha256(str(example["id"]).encode()).digest()[:8], "big")
        entry = (rank, -place, example)
        if len(heap) < size:
            heapq.heappush(heap, entry)
        elif entry[:2] > heap[0][:2]:
            heapq.heapreplace(heap, entry)
    for _, _, example in sorted(heap, key=lambda entry: -entry[1]):
        yield example
