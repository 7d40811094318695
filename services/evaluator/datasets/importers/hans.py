"""The text file of HANS: a table of two-way labels, tagged by heuristic and subcase."""

from collections.abc import Iterator
from typing import BinaryIO

from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns
from services.evaluator.datasets.importers.delimited import import_tsv

# Neither neutral nor contradictory is wrong where the pair is only said not to be entailed.
TWO_WAY_LABELS = {"entailment": "entailed", "non-entailment": ["neutral", "contradictory"]}


def import_hans(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples of nli. Invalid names the line."""
    named = columns.with_defaults(
        inputs={"context": "sentence1", "hypothesis": "sentence2"},
        id="pairID",
        label="gold_label",
        labels=TWO_WAY_LABELS,
        tag_columns={"heuristic": "", "subcase": ""},
    )
    return import_tsv(stream, named)
