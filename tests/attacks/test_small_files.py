"""Small files that stand for gigabytes. Each is refused, or read, in little memory."""

import io
import json
import resource
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dynaboard.errors import Invalid
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.importers.columns import read_columns

MIB = 1024**2
ROOM = 600 * MIB
IDS = pa.array([str(number) for number in range(256)])


def imported(file_format: str, upload: bytes, **mapping: Any) -> int:
    """The number of examples. Raises Invalid; fails when the process grew by more than ROOM."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    columns = read_columns({"task": "sentiment", **mapping})
    try:
        return sum(1 for _ in import_examples(file_format, io.BytesIO(upload), columns, 1024**3))
    finally:
        assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < ROOM


def parquet(**columns: Any) -> bytes:
    rows = len(next(iter(columns.values())))
    table = pa.table({"id": IDS[:rows], "label": pa.array(["positive"] * rows), **columns})
    file = io.BytesIO()
    pq.write_table(table, file, compression="zstd", store_schema=False)
    return file.getvalue()


def repeated(text: str) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array([0] * 256, pa.int32()), pa.array([text]))


def test_replacements_do_not_multiply() -> None:
    replace = {chr(97 + step): chr(98 + step) * 20 for step in range(12)}
    row = json.dumps({"id": "1", "statement": "a" * 50, "label": "positive"}).encode()
    with pytest.raises(Invalid, match="replace makes a text longer"):
        imported("jsonl", row, replace=replace)


def test_an_entry_of_a_dictionary_is_not_multiplied() -> None:
    """256 rows of 6 MiB each, in a file of a few kilobytes."""
    upload = parquet(statement=repeated("x" * 6 * MIB))
    assert len(upload) < 10_000
    assert imported("parquet", upload) == 256


def test_a_text_in_parquet_is_no_longer_than_a_line() -> None:
    with pytest.raises(Invalid, match="longer than 8 MiB"):
        imported("parquet", parquet(statement=repeated("x" * 9 * MIB)))


def test_a_run_of_nulls_is_not_unrolled() -> None:
    tags = pa.ListArray.from_arrays(pa.array([0, 20_000_000], pa.int32()), pa.nulls(20_000_000, pa.string()))
    with pytest.raises(Invalid, match="more than 1000 values a row"):
        imported("parquet", parquet(statement=["x"], tags=tags))
