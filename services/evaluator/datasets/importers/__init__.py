"""Readers of the original distribution formats. Each yields canonical examples from a stream, in bounded memory."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns
from services.evaluator.datasets.importers.delimited import import_csv, import_tsv
from services.evaluator.datasets.importers.hans import import_hans
from services.evaluator.datasets.importers.jsonl import import_jsonl
from services.evaluator.datasets.importers.mrqa import import_mrqa
from services.evaluator.datasets.importers.parquet import import_parquet
from services.evaluator.datasets.importers.sample import drawn
from services.evaluator.datasets.importers.snli import import_snli
from services.evaluator.datasets.importers.squad import import_squad
from services.evaluator.datasets.importers.sst import import_sst
from services.evaluator.datasets.importers.unpack import Part, parts

Importer = Callable[[BinaryIO, Columns], Iterator[Example]]

IMPORTERS: dict[str, Importer] = {
    "csv": import_csv,
    "hans": import_hans,
    "jsonl": import_jsonl,
    "mrqa": import_mrqa,
    "parquet": import_parquet,
    "snli": import_snli,
    "squad": import_squad,
    "sst": import_sst,
    "tsv": import_tsv,
}


def import_examples(file_format: str, upload: BinaryIO, columns: Columns, limit: int) -> Iterator[Example]:
    """The canonical examples of an upload: plain, gzipped or a zip, recognised by content.

    `upload` is seekable; `limit` bounds its size after decompression, in bytes. Raises Invalid or TooLarge.
    """
    if file_format not in IMPORTERS:
        raise Invalid(f"There is no format {ascii(file_format)[:40]}; the formats are {', '.join(IMPORTERS)}.")
    found = _all_parts(IMPORTERS[file_format], parts(upload, columns.files, limit), columns)
    return found if columns.sample is None else drawn(found, columns.sample)


def _all_parts(importer: Importer, found: Iterator[Part], columns: Columns) -> Iterator[Example]:
    for part in found:
        prefix = f"{columns.id_prefix}{part.name}-" if part.name else columns.id_prefix
        yield from importer(
            part.stream,
            columns.model_copy(update={"tags": [*columns.tags, *part.tags], "id_prefix": prefix}),
        )
