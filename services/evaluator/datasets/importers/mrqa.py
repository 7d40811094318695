"""The MRQA shared task's format: a header line, then one passage a line with its questions."""

from collections.abc import Iterator
from typing import Any, BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, Row, examples
from services.evaluator.datasets.importers.jsonl import json_objects


def import_mrqa(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples of qa, one a question. Invalid names the line."""
    return examples(_rows(stream), columns.with_defaults(id="qid"))


def _rows(stream: BinaryIO) -> Iterator[tuple[int, Row]]:
    for number, passage in json_objects(stream):
        if "header" in passage:
            continue
        for question in _questions(passage, number):
            yield number, {**question, "context": passage.get("context")}


def _questions(passage: dict[str, Any], number: int) -> list[dict[str, Any]]:
    questions = passage.get("qas")
    if not isinstance(questions, list) or not all(isinstance(question, dict) for question in questions):
        raise Invalid(f'line {number}: "qas" must be a list of questions')
    return questions
