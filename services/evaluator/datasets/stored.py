"""Canonical lines in object storage: gzip, under their digest, with the counts that a dataset's row keeps."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from gzip import GzipFile
from hashlib import sha256
from itertools import islice
from tempfile import TemporaryFile
from typing import BinaryIO

from dynaboard.contract import wire_examples
from dynaboard.errors import Invalid, TooLarge
from dynaboard.nlp_tasks import Task
from dynaboard.storage import Storage, dataset_key
from services.evaluator.datasets.canonical import Example, canonical_lines, read_examples

MAX_DISTINCT_TAGS = 1_000


@dataclass(frozen=True)
class Contents:
    """What a dataset holds. `digest` and `size` (bytes) are of the canonical lines, not of their gzip."""

    digest: str
    size: int
    examples: int
    labels: dict[str, int]
    tags: dict[str, int]


@dataclass
class _Tally:
    """Counts examples while they pass."""

    limit: int
    examples: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)

    def over(self, examples: Iterable[Example]) -> Iterator[Example]:
        for example in examples:
            self.examples += 1
            if self.examples > self.limit:
                raise TooLarge(f"The dataset has more than {self.limit} examples; upload a sample of it.")
            if label := example.get("label"):
                self.labels[label if isinstance(label, str) else " or ".join(label)] += 1
            self.labels.update(example.get("token_labels", ()))
            self.tags.update(example.get("tags", []))
            if len(self.tags) > MAX_DISTINCT_TAGS:
                raise Invalid(f"More than {MAX_DISTINCT_TAGS} different tags: tag by what results are reported for.")
            yield example


def write_canonical(task: Task, examples: Iterable[Example], target: BinaryIO, max_examples: int) -> Contents:
    """Write gzipped canonical lines; the same examples give the same bytes. Raises Invalid, TooLarge."""
    tally, digest, size = _Tally(max_examples), sha256(), 0
    with GzipFile(filename="", mode="wb", fileobj=target, mtime=0) as packed:
        for line in canonical_lines(task, tally.over(examples)):
            packed.write(line)
            digest.update(line)
            size += len(line)
    return Contents(digest.hexdigest(), size, tally.examples, dict(tally.labels), dict(tally.tags))


def store(storage: Storage, task: Task, examples: Iterable[Example], max_examples: int) -> Contents:
    """Put the examples into storage under their digest, if they are not there already. Memory: a few lines."""
    with TemporaryFile() as packed:
        contents = write_canonical(task, examples, packed, max_examples)
        packed.seek(0)
        if not storage.exists(dataset_key(contents.digest)):
            storage.put_file(dataset_key(contents.digest), packed)
    return contents


def input_lines(storage: Storage, task: Task, digest: str) -> Iterator[bytes]:
    """What a model sees of each example, a line of JSON each: inputs, and its number for an id."""
    with closing(storage.open(dataset_key(digest))) as body:
        for number, example in enumerate(read_examples(body)):
            (seen,) = wire_examples(task, [example], number)
            yield json.dumps(seen, ensure_ascii=False).encode() + b"\n"


def first_examples(storage: Storage, digest: str, limit: int) -> list[Example]:
    """The first examples of a stored dataset. Raises NotFound."""
    with closing(storage.open(dataset_key(digest))) as body:
        return list(islice(read_examples(body), limit))
