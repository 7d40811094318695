"""What is inside an upload: a plain file, a gzipped one, or files of a distribution's zip, recognised by content."""

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import IO, BinaryIO

from dynaboard.errors import Invalid, TooLarge

GZIP, ZIP, PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"
DAMAGE = (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)
# A zip's directory is read into memory whole; a distribution has a few dozen files.
MAX_DIRECTORY_BYTES = 2**20
END_OF_DIRECTORY, END_RECORD_BYTES, MAX_COMMENT_BYTES = b"PK\x05\x06", 22, 2**16


@dataclass(frozen=True)
class Part:
    """One file of examples inside an upload. `name` is its stem, empty for an upload that is a single file."""

    stream: BinaryIO
    tags: tuple[str, ...] = ()
    name: str = ""


class Unpacked(io.RawIOBase):
    """Decompressed bytes, at most `limit` of them; damage found on the way is Invalid, a bomb TooLarge."""

    def __init__(self, source: IO[bytes] | gzip.GzipFile, limit: int) -> None:
        self._source, self._left, self._limit = source, limit, limit

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: "memoryview | bytearray") -> int:  # type: ignore[override]
        """Fill the buffer as far as the source has bytes."""
        try:
            data = self._source.read(len(buffer))
        except DAMAGE as error:
            raise Invalid(f"The file is damaged or cut off: {str(error)[:100]}.") from None
        self._left -= len(data)
        if self._left < 0:
            raise TooLarge(f"The file unpacks to more than {self._limit} bytes, which is all this installation allows.")
        buffer[: len(data)] = data
        return len(data)


def parts(upload: BinaryIO, files: Mapping[str, list[str]], limit: int) -> Iterator[Part]:
    """The files of examples in a seekable upload, opened one after another.

    `files` maps patterns of names in a zip to tags; `limit` is in bytes after decompression. Raises Invalid.
    """
    magic = upload.read(4)
    upload.seek(0)
    if magic == ZIP:
        yield from _members(upload, files, limit)
    elif len(files) > 1:
        raise Invalid("This dataset is made of several files: upload the zip in which they are distributed.")
    else:
        tags = tuple(tag for tags in files.values() for tag in tags)
        yield Part(upload if magic == PARQUET else _unpacked(upload, limit), tags)


def _members(upload: BinaryIO, files: Mapping[str, list[str]], limit: int) -> Iterator[Part]:
    _check_directory(upload)
    try:
        with zipfile.ZipFile(upload) as archive:
            for pattern, tags in _patterns(files, archive).items():
                name = _only_match(pattern, archive)
                with archive.open(name) as member:
                    stem = PurePosixPath(name).stem if len(files) > 1 else ""
                    yield Part(_unpacked(member, limit), tuple(tags), stem)
    except DAMAGE as error:
        raise Invalid(f"The zip is damaged or of a kind this platform does not read: {str(error)[:100]}.") from None


def _patterns(files: Mapping[str, list[str]], archive: zipfile.ZipFile) -> Mapping[str, list[str]]:
    if files or len(_names(archive)) == 1:
        return files or {"*": []}
    raise Invalid('The zip holds several files: name the ones to read in the mapping\'s "files", or upload one alone.')


def _only_match(pattern: str, archive: zipfile.ZipFile) -> str:
    matches = [name for name in _names(archive) if fnmatchcase(name, pattern)]
    if len(matches) != 1:
        raise Invalid(f'{len(matches)} files of the zip match "{pattern}", where exactly one is expected.')
    return matches[0]


def _names(archive: zipfile.ZipFile) -> list[str]:
    """Files, without directories and the shadow copies macOS adds."""
    names = archive.namelist()
    return [name for name in names if not name.endswith("/") and not name.startswith("__MACOSX/")]


def _check_directory(upload: BinaryIO) -> None:
    size = upload.seek(0, io.SEEK_END)
    upload.seek(max(0, size - MAX_COMMENT_BYTES - END_RECORD_BYTES))
    _, found, record = upload.read().rpartition(END_OF_DIRECTORY)
    upload.seek(0)
    if found and int.from_bytes(record[8:12], "little") > MAX_DIRECTORY_BYTES:
        raise Invalid("The zip lists too many files; upload the file of examples alone.")


def _unpacked(stream: IO[bytes], limit: int) -> BinaryIO:
    """The stream, through gzip if its first bytes say so, under the limit either way."""
    outer = io.BufferedReader(Unpacked(stream, limit))
    return io.BufferedReader(Unpacked(gzip.open(outer), limit)) if outer.peek(2).startswith(GZIP) else outer
