"""Parquet, as the Hugging Face `datasets` library keeps it."""

from collections.abc import Iterator
from typing import BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, Row, examples

ROWS_AT_ONCE = 256
READ_BYTES = 2**20


def import_parquet(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples out of a Parquet file (seekable). Memory: a batch of rows. Invalid names the row, counted from 1."""
    return examples(enumerate(_rows(stream, columns), 1), columns, unit="row")


def _rows(stream: BinaryIO, columns: Columns) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(stream, buffer_size=READ_BYTES, pre_buffer=False)
        wanted = [name for name in table.schema_arrow.names if name in _needed(columns)]
        for batch in table.iter_batches(ROWS_AT_ONCE, columns=wanted):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise Invalid(f"not a Parquet file this platform reads: {' '.join(str(error).split())[:100]}") from None


def _needed(columns: Columns) -> set[str]:
    inputs = {columns.column_of(field) for field in columns.nlp_task.inputs}
    return inputs | {columns.id or "", columns.label, columns.answers, *columns.where, *columns.tag_columns}
