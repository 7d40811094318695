"""A mapping from outside: what it may say, and the sentence for each row or mapping that cannot be used."""

import io
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.errors import Invalid
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.importers.columns import read_columns

GOOD = {"id": "1", "statement": "Fine.", "label": "positive"}


def read(data: bytes, file_format: str = "jsonl", **mapping: object) -> list[dict[str, Any]]:
    columns = read_columns({"task": "sentiment", **mapping})
    return list(import_examples(file_format, io.BytesIO(data), columns, 2**24))


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("second_line", "sentence"),
    [
        (b"{", "line 2: not JSON (Expecting property name enclosed in double quotes at character 3)"),
        (b"[1]", "line 2: a JSON object is expected"),
        (b"\xff", "line 2: not UTF-8 text"),
        (b"[" * 5000, "line 2: nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b"}", "line 2: nested too deeply, or a number with too many digits"),
        (b'{"id": "2"}', 'line 2: there is no column "statement" (found: id)'),
        (b'{"id": "2", "statement": "", "label": "positive"}', 'line 2: "statement" is empty'),
        (b'{"id": "2", "statement": "x", "label": "great"}', "line 2: the label 'great' is none of positive"),
        (b'{"id": "2", "statement": "x", "label": null}', "line 2: the label None is none of"),
        (b'{"id": "2", "statement": "\\ud800", "label": "positive"}', 'line 2: "statement" holds half of a surrogate'),
    ],
)
def test_a_bad_row_is_named_by_its_line(second_line: bytes, sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read(lines(GOOD) + second_line + b"\n")
    assert refusal.value.detail.startswith(sentence)


def test_a_line_without_end_is_refused_before_it_fills_the_memory() -> None:
    with pytest.raises(Invalid, match="line 1: longer than 8 MiB"):
        read(b"x" * (9 * 2**20))


def test_a_byte_order_mark_is_no_part_of_the_first_column() -> None:
    assert read(b"\xef\xbb\xbfid,statement,label\r\n1,Fine.,positive\r\n", "csv") == [GOOD]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (b"id,statement,label\n1,Fine.\n", "line 2: 2 columns, but 3 are expected"),
        (b'id,statement,label\n1,"Fine.,positive\n', "line 2: not a table this format allows"),
        (b"id,statement,label\n1,Fine.,positive\n2,,positive\n", 'line 3: "statement" is empty'),
    ],
)
def test_a_bad_row_of_a_table_is_named_by_its_line(table: bytes, sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read(table, "csv")
    assert refusal.value.detail.startswith(sentence)


def test_rows_are_numbered_where_a_file_has_no_ids() -> None:
    rows = lines({"statement": "a", "label": "positive"}, {"statement": "b", "label": "negative"})
    assert [example["id"] for example in read(rows, id=None)] == ["1", "2"]


def test_a_column_of_several_labels_means_all_of_them_are_accepted() -> None:
    (example,) = read(lines({**GOOD, "label": ["p", "n"]}), labels={"p": "positive", "n": "neutral"})
    assert example["label"] == ["positive", "neutral"]


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ({"colour": "red"}, "The mapping's colour is not usable"),
        ({"inputs": {"context": "c"}}, "context is no input of sentiment"),
        ({"rows": [1]}, "The mapping's rows"),
        ({"sample": 0}, "The mapping's sample is not usable"),
        ({"replace": {"": "x"}}, "an empty text cannot be replaced"),
        ({"replace": {"a": "x" * 99}}, "The mapping's replace"),
        ({"where": {"split": 3}}, "The mapping's where.split"),
        ({"task": "chess"}, "there is no task chess"),
    ],
)
def test_a_mapping_nobody_can_follow_is_refused_by_field(mapping: dict[str, object], sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read_columns({"task": "sentiment", **mapping})
    assert sentence in refusal.value.detail


@given(st.binary(max_size=200), st.sampled_from(["jsonl", "csv", "tsv", "sst", "snli", "hans", "mrqa", "squad"]))
def test_whatever_the_bytes_the_answer_is_examples_or_a_sentence(data: bytes, file_format: str) -> None:
    task = "qa" if file_format in {"mrqa", "squad"} else "nli" if file_format in {"snli", "hans"} else "sentiment"
    with suppress(Invalid):
        read(data, file_format, task=task)
