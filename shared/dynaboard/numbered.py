"""Predictions with positions for ids: a dataset's own ids may tell its labels."""

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

ROWS_AT_ONCE = 2_000


def numbered(file: BinaryIO, target: BinaryIO) -> None:
    """Copy stored predictions with the positions that the model saw for ids.

    The result is a Parquet file too; memory: a batch of rows.
    """
    first, source = 0, pq.ParquetFile(file)
    with pq.ParquetWriter(target, source.schema_arrow, compression="zstd") as writer:
        for batch in source.iter_batches(ROWS_AT_ONCE):
            positions = pa.array([str(position) for position in range(first, first + batch.num_rows)])
            writer.write_batch(batch.set_column(0, source.schema_arrow.field("id"), positions))
            first += batch.num_rows
