"""The file of a perturbed copy: one line a variant, as edits of an example; the evaluator writes it, scoring reads it.

The texts themselves stand once, in the dataset: a copy of SQuAD for one suite is a few megabytes, not fifty.
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, BinaryIO

from dynaboard.edits import Edits, apply_edits, as_json, from_json
from dynaboard.errors import PlatformFailure


@dataclass(frozen=True)
class StoredVariant:
    """One line: what was done (`kind`) between whom (`group`, may be "") to the dataset's example `of`.

    Lines stand in the order of the dataset's examples. `id` is unique: the example's, `~`, and a number from 0.
    """

    id: str
    of: str
    kind: str
    group: str
    edits: Edits

    def line(self) -> bytes:
        """The canonical line: sorted keys, UTF-8, newline. SHA-256 over all lines is the copy's digest."""
        fields = {
            "id": self.id,
            "of": self.of,
            "kind": self.kind,
            "group": self.group,
            "edits": as_json(self.edits),
        }
        return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"

    def inputs(self, example: Mapping[str, Any]) -> dict[str, Any]:
        """The example `of` with its changed texts, under the variant's id and without what is right."""
        changed = {field: apply_edits(example[field], edits) for field, edits in self.edits.items()}
        kept = {field: value for field, value in example.items() if field not in {"label", "answers", "tags"}}
        return {**kept, **changed, "id": self.id}


def copy_key(digest: str) -> str:
    """Where a perturbed copy lies, gzipped."""
    return f"perturbed/{digest}.jsonl.gz"


def read_variants(stream: BinaryIO) -> Iterator[StoredVariant]:
    """The variants of a stored copy, one at a time."""
    with gzip.open(stream) as lines:
        for line in lines:
            fields = json.loads(line)
            yield StoredVariant(**{**fields, "edits": from_json(fields["edits"])})


def perturbed_inputs(
    examples: Iterable[Mapping[str, Any]], variants: Iterable[StoredVariant]
) -> Iterator[dict[str, Any]]:
    """Each variant as an example under its own id; both streams stand in the dataset's order.

    Raises PlatformFailure for variants of an example that is not there.
    """
    remaining = iter(examples)
    for identifier, group in groupby(variants, key=lambda variant: variant.of):
        example = next((each for each in remaining if each["id"] == identifier), None)
        if example is None:
            raise PlatformFailure(f"A perturbed copy holds variants of {identifier!r}, which is not in its place.")
        for variant in group:
            yield variant.inputs(example)
