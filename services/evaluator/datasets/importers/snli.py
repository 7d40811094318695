"""The files of SNLI and MultiNLI: JSON Lines whose gold label is `-` where the annotators did not agree."""

from collections.abc import Iterator
from typing import BinaryIO

from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns
from services.evaluator.datasets.importers.jsonl import import_jsonl

LABELS = {"entailment": "entailed", "neutral": "neutral", "contradiction": "contradictory"}


def import_snli(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples of nli; pairs without a gold label are left out, as the corpus's authors ask. Invalid names the line."""
    named = columns.with_defaults(
        inputs={"context": "sentence1", "hypothesis": "sentence2"},
        id="pairID",
        label="gold_label",
        labels=LABELS,
        drop=["-"],
    )
    return import_jsonl(stream, named)
