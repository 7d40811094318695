"""Parquet, as the Hugging Face `datasets` library keeps it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, Row, examples
from services.evaluator.datasets.importers.lines import MAX_LINE_BYTES

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData

ROWS_AT_ONCE = 256
READ_BYTES = 2**20
# A few bytes of Parquet may stand for gigabytes: a dictionary's entry repeated, a run of nulls, a page of one letter.
MAX_COLUMN_BYTES = 2**30
MAX_VALUES_A_ROW = 1_000
FREE_VALUES = 2**20


def import_parquet(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples out of a Parquet file (seekable). Memory: a batch of rows. Invalid names the row, counted from 1."""
    return examples(enumerate(_rows(stream, columns), 1), columns, unit="row")


def _rows(stream: BinaryIO, columns: Columns) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        needed = _needed(columns)
        metadata = parquet.read_metadata(stream)
        _check_sizes(metadata, needed)
        # Entries of dictionaries stay single, until a row is looked at.
        texts = [
            leaf.path
            for leaf in map(metadata.schema.column, range(metadata.num_columns))
            if leaf.physical_type == "BYTE_ARRAY"
        ]
        table = parquet.ParquetFile(stream, buffer_size=READ_BYTES, pre_buffer=False, read_dictionary=texts)
        wanted = [name for name in table.schema_arrow.names if name in needed]
        for batch in table.iter_batches(ROWS_AT_ONCE, columns=wanted):
            for place in range(batch.num_rows):
                row = batch.slice(place, 1).to_pylist()[0]
                _check_row(row)
                yield row
    except (pa.ArrowException, OSError, ValueError) as error:
        raise Invalid(f"not a Parquet file this platform reads: {' '.join(str(error).split())[:100]}") from None


def _check_sizes(metadata: "FileMetaData", needed: set[str]) -> None:
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for place in range(group.num_columns):
            column = group.column(place)
            if column.path_in_schema.partition(".")[0] not in needed:
                continue
            if column.total_uncompressed_size > MAX_COLUMN_BYTES:
                raise Invalid("a column unpacks to more than 1 GiB at once; write the file with smaller row groups")
            if column.num_values > group.num_rows * MAX_VALUES_A_ROW + FREE_VALUES:
                raise Invalid(f"{column.path_in_schema[:60]} has more than {MAX_VALUES_A_ROW} values a row")


def _check_row(row: Row) -> None:
    for name, value in row.items():
        if isinstance(value, str) and len(value) > MAX_LINE_BYTES:
            raise Invalid(f"{name[:60]} has a text longer than {MAX_LINE_BYTES // 2**20} MiB")


def _needed(columns: Columns) -> set[str]:
    inputs = {columns.column_of(field) for field in columns.nlp_task.inputs}
    return inputs | {columns.id or "", columns.label, columns.answers, *columns.where, *columns.tag_columns}
