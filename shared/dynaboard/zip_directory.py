"""A zip file's directory, read so that a hostile one costs neither memory nor surprises.

`zipfile` loads the whole central directory before it says a word, cuts names at NUL, keeps doubled names and follows
whatever the directory claims. So the directory's place and size are read here first, and every entry is checked
before a caller may open it. Nothing is decompressed.
"""

import stat
import struct
import unicodedata
import zipfile
from dataclasses import dataclass
from typing import BinaryIO

from dynaboard.errors import Invalid

END = struct.Struct("<4s4H2LH")
END64_LOCATOR = struct.Struct("<4sLQL")
END64 = struct.Struct("<4sQ2H2L4Q")
LOCAL = struct.Struct("<4s5H3L2H")
NAME_BYTES = 240
DEPTH = 16
FOLLOW_PACKAGE = "make the archive with `dynaboard package`"


@dataclass(frozen=True)
class Limits:
    """What an archive may hold at most. Sizes are bytes; `ratio` is unpacked : packed, looked at above 64 MiB."""

    entries: int = 10_000
    directory: int = 8 * 1024**2
    unpacked: int = 20 * 1024**3
    ratio: float = 100.0


def open_archive(file: BinaryIO, limits: Limits) -> zipfile.ZipFile:
    """The zip in a seekable file, with every entry checked. Raises Invalid with one sentence for anything hostile."""
    start = _check_end(file, limits)
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, ValueError, struct.error):
        raise Invalid(f"The archive's directory is damaged; {FOLLOW_PACKAGE} and send it again.") from None
    entries = archive.infolist()
    if len(entries) > limits.entries:
        raise Invalid(
            f"The archive holds {len(entries)} entries, at most {limits.entries} are allowed; pack fewer files."
        )
    for entry in entries:
        _check_entry(entry)
    _check_collisions(entries)
    _check_sizes(entries, limits)
    _check_places(file, entries, start)
    return archive


def check_name(name: str) -> None:
    """Raises Invalid unless `name` is a plain relative path that means the same file on every system."""
    shown = f"The archive's entry {name[:80]!r}"
    if "\x00" in name or any(unicodedata.category(char) in ("Cc", "Cf", "Cs") for char in name):
        raise Invalid(f"{shown} has invisible characters in its name; rename the file.")
    if "\\" in name or ":" in name:
        raise Invalid(f"{shown} has a backslash or colon in its name; use plain names and forward slashes.")
    if name.startswith("/"):
        raise Invalid(f"{shown} is an absolute path; {FOLLOW_PACKAGE}.")
    parts = name.removesuffix("/").split("/")
    if ".." in parts:
        raise Invalid(f"{shown} leads out of the archive with '..'; {FOLLOW_PACKAGE}.")
    if "" in parts or "." in parts:
        raise Invalid(f"{shown} is not a plain path; {FOLLOW_PACKAGE}.")
    if len(name.encode()) > NAME_BYTES or len(parts) > DEPTH:
        raise Invalid(f"{shown} has too long a name: at most {NAME_BYTES} bytes and {DEPTH} folders; rename the file.")


def _check_end(file: BinaryIO, limits: Limits) -> int:
    """Where the central directory starts, after checking its size, which is what `zipfile` will hold in memory."""
    size = file.seek(0, 2)
    tail_size = min(size, END.size + END64_LOCATOR.size + END64.size)
    file.seek(size - tail_size)
    tail = file.read(tail_size)
    if len(tail) < END.size or tail[-END.size :][:4] != b"PK\x05\x06" or tail[-2:] != b"\0\0":
        raise Invalid(f"This is not a zip archive, or something was added after its end; {FOLLOW_PACKAGE}.")
    _, disk, first_disk, _, count, length, start, _ = END.unpack(tail[-END.size :])
    end = size - END.size
    locator = tail[-END.size - END64_LOCATOR.size : -END.size]
    if locator[:4] == b"PK\x06\x07":
        record = tail[: END64.size]
        if len(record) < END64.size or record[:4] != b"PK\x06\x06" or len(tail) != tail_size:
            raise Invalid(f"The archive's directory is damaged; {FOLLOW_PACKAGE} and send it again.")
        _, _, _, _, disk, first_disk, _, count, length, start = END64.unpack(record)
        end -= END64_LOCATOR.size + END64.size
    if disk or first_disk or start + length != end:
        raise Invalid(f"The archive is split, or has something before or after it; {FOLLOW_PACKAGE}.")
    if length > limits.directory or count > limits.entries:
        raise Invalid(
            f"The archive's directory is too large: at most {limits.entries} entries are allowed; pack fewer files."
        )
    return int(start)


def _check_entry(entry: zipfile.ZipInfo) -> None:
    if entry.orig_filename != entry.filename:
        check_name(entry.orig_filename)
    check_name(entry.filename)
    shown = f"The archive's entry {entry.filename[:80]!r}"
    if entry.flag_bits & 0x41:
        raise Invalid(f"{shown} is encrypted; pack it without a password.")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Invalid(f"{shown} is compressed in an unusual way; {FOLLOW_PACKAGE}.")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if stat.S_ISLNK(kind):
        raise Invalid(f"{shown} is a link; pack the file itself.")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or stat.S_ISDIR(kind) != (entry.is_dir() and kind != 0):
        raise Invalid(f"{shown} is neither a file nor a folder; {FOLLOW_PACKAGE}.")
    if entry.is_dir() and (entry.file_size or entry.compress_size > 2):
        raise Invalid(f"{shown} is a folder that holds data; {FOLLOW_PACKAGE}.")
    if entry.compress_type == zipfile.ZIP_STORED and entry.file_size != entry.compress_size:
        raise Invalid(f"{shown} contradicts itself about its size; {FOLLOW_PACKAGE}.")


def _check_collisions(entries: list[zipfile.ZipInfo]) -> None:
    """No two names that some file system takes for one, and no file that is also a folder."""
    files: set[str] = set()
    folders: set[str] = set()
    for entry in entries:
        key = unicodedata.normalize("NFKC", entry.filename.removesuffix("/")).casefold()
        parents = ["/".join(key.split("/")[:depth]) for depth in range(1, key.count("/") + 1)]
        if key in files or (key in folders and not entry.is_dir()) or not files.isdisjoint(parents):
            raise Invalid(f"The archive holds {entry.filename[:80]!r} twice, give or take capitals; rename one.")
        folders.update(parents)
        (folders if entry.is_dir() else files).add(key)


def _check_sizes(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > limits.unpacked:
        allowed = f"{limits.unpacked / 1024**3:.1f} GiB are allowed"
        raise Invalid(f"The archive unpacks to {unpacked / 1024**3:.1f} GiB, at most {allowed}.")
    if unpacked > 64 * 1024**2 and unpacked > limits.ratio * packed:
        raise Invalid(f"The archive unpacks to more than {limits.ratio:.0f} times its size; {FOLLOW_PACKAGE}.")


def _check_places(file: BinaryIO, entries: list[zipfile.ZipInfo], directory: int) -> None:
    """Entries lie one after the other, each with its own bytes: overlapping ones are how a small bomb gets large."""
    free_from = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < free_from:
            raise Invalid(f"The archive's entry {entry.filename[:80]!r} overlaps another; {FOLLOW_PACKAGE}.")
        file.seek(entry.header_offset)
        header = file.read(LOCAL.size)
        if len(header) < LOCAL.size or header[:4] != b"PK\x03\x04":
            raise Invalid(f"The archive's entry {entry.filename[:80]!r} is not where it should be; {FOLLOW_PACKAGE}.")
        *_, name_length, extra_length = LOCAL.unpack(header)
        free_from = entry.header_offset + LOCAL.size + name_length + extra_length + entry.compress_size
    if free_from > directory:
        raise Invalid(f"The archive's last entry runs into its directory; {FOLLOW_PACKAGE}.")
