"""Tables of text: csv with quotes, tsv without (a quote in HANS or MultiNLI's text files is only a character)."""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, Row, examples
from services.evaluator.datasets.importers.lines import numbered_lines


class _Csv(csv.excel):
    strict = True


class _Tsv(csv.excel_tab):
    quoting = csv.QUOTE_NONE


def import_csv(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples out of comma-separated values with a header line, or with `columns.header`. Invalid names the line."""
    return examples(_rows(stream, _Csv, columns.header), columns)


def import_tsv(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples out of tab-separated values without quoting. Invalid names the line."""
    return examples(_rows(stream, _Tsv, columns.header), columns)


def _rows(stream: BinaryIO, dialect: type[csv.Dialect], header: list[str] | None) -> Iterator[tuple[int, Row]]:
    """A field may have 128 KiB, Python's own bound, so that an unclosed quote is found out."""
    reader = csv.reader((line for _, line in numbered_lines(stream)), dialect)
    try:
        for cells in reader:
            if header is None:
                header = cells
            elif cells and len(cells) != len(header):
                raise Invalid(f"line {reader.line_num}: {len(cells)} columns, but {len(header)} are expected")
            elif cells:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise Invalid(f"line {reader.line_num}: not a table this format allows ({error})") from None
