"""The Stanford Sentiment Treebank in Penn Treebank brackets: one tree a line, a grade from 0 to 4 on every node."""

import re
from collections.abc import Iterator
from typing import BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, Row, examples
from services.evaluator.datasets.importers.lines import numbered_lines

# SST3 as DynaSent (appendix A) makes it of the root's grade.
LABELS = {"0": "negative", "1": "negative", "2": "neutral", "3": "positive", "4": "positive"}
ROOT = re.compile(r"\(([0-4]) .*\)", re.DOTALL)
LEAF = re.compile(r"\([0-4] ([^\s()]+)\)")


def import_sst(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples of sentiment: the tree's tokens, joined by blanks as in the treebank's lists. Invalid names the line."""
    return examples(_rows(stream), columns.with_defaults(id=None, labels=LABELS))


def _rows(stream: BinaryIO) -> Iterator[tuple[int, Row]]:
    for number, line in numbered_lines(stream):
        tree = line.strip()
        if not tree:
            continue
        root, leaves = ROOT.fullmatch(tree), LEAF.findall(tree)
        if root is None or not leaves or tree.count("(") != tree.count(")"):
            raise Invalid(f"line {number}: not a tree such as (3 (2 Good) (2 film))")
        yield number, {"statement": " ".join(leaves), "label": root[1]}
