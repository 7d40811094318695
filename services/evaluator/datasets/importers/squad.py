"""SQuAD v1.1's nested JSON (SQuAD, AdversarialQA), read paragraph by paragraph."""

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import ijson

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, Row, examples

PARAGRAPHS = "data.item.paragraphs.item"
MAX_DEPTH = 16  # SQuAD has 8; ijson's paths grow with the square of the depth


def import_squad(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples of qa, one a question. Memory: one paragraph. Invalid names the question, counted from 1."""
    return examples(enumerate(_questions(stream), 1), columns, unit="question")


def _questions(stream: BinaryIO) -> Iterator[Row]:
    for number, paragraph in enumerate(_paragraphs(stream), 1):
        questions = paragraph.get("qas") if isinstance(paragraph, dict) else None
        if not isinstance(questions, list) or not all(isinstance(question, dict) for question in questions):
            raise Invalid(f'paragraph {number}: "qas" must be a list of questions')
        for question in questions:
            yield {**question, "context": paragraph.get("context"), "answers": _texts(question.get("answers"))}


def _paragraphs(stream: BinaryIO) -> Iterator[Any]:
    try:
        yield from ijson.items(ijson.parse(_shallow(ijson.basic_parse(stream))), PARAGRAPHS)
    except (ijson.JSONError, ValueError, ArithmeticError) as error:
        raise Invalid(f"not a SQuAD file: {' '.join(str(error).split())[:100]}") from None


def _shallow(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    depth = 0
    for event, value in events:
        depth += (event in {"start_map", "start_array"}) - (event in {"end_map", "end_array"})
        if depth > MAX_DEPTH:
            raise ValueError("nested too deeply")
        yield event, value


def _texts(answers: object) -> object:
    if not isinstance(answers, list):
        return answers
    return [answer.get("text") if isinstance(answer, dict) else answer for answer in answers]
