"""The file of a bundle: a tar of members, the last of which signs every byte before it.

A tar needs no index and no compression of its own, so that nothing of the file escapes the signature: the bytes up to
the last member are hashed and signed, and the rest must be exactly what writing that signature gives.
"""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, BinaryIO

from dynaboard.bundle.signature import PublicKey, SigningKey
from dynaboard.errors import Invalid

SIGNATURE = "signature.json"
MOST_MEMBERS = 10_000
MOST_SIGNATURE_BYTES = 4_096
BLOCK = 1024**2
NOT_A_BUNDLE = "This file is not a Dynaboard bundle, or its end is missing; fetch it again."
CHANGED = "The bundle's bytes are not those that were signed; fetch it again from where it was made."


@dataclass(frozen=True)
class Member:
    """A file that goes into a bundle: its name there, and where its bytes are."""

    name: str
    content: bytes | Path

    @property
    def size(self) -> int:
        """Bytes."""
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)

    @property
    def sha256(self) -> str:
        """Of its bytes."""
        if isinstance(self.content, bytes):
            return hashlib.sha256(self.content).hexdigest()
        with self.content.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def open(self) -> BinaryIO:
        """Read it."""
        return self.content.open("rb") if isinstance(self.content, Path) else io.BytesIO(self.content)


def write(target: Path, members: Iterable[Member], key: SigningKey) -> None:
    """Write a signed bundle. The same members and key give the same bytes. Memory: one block."""
    with target.open("wb") as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for member in members:
                with member.open() as stream:
                    tar.addfile(_header(member.name, member.size), stream)
            file.flush()
            end = tar.offset
        file.truncate(end)
    digest = _digest(target, end)
    with target.open("ab") as file:
        file.write(_tail(key.public.text, key.sign(digest)))


def check(bundle: Path) -> PublicKey:
    """Whose signature the bundle bears. Raises Invalid where a single byte is not as it was signed."""
    start = _signature_starts(bundle)
    with bundle.open("rb") as file:
        file.seek(start)
        tail = file.read(MOST_SIGNATURE_BYTES * 8)
    key, signature = _signature(tail)
    if tail != _tail(key, signature) or not PublicKey(key).has_signed(_digest(bundle, start), signature):
        raise Invalid(CHANGED)
    return PublicKey(key)


def members(bundle: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Each file but the signature, by name, to be read before the next one. Raises Invalid for a broken bundle."""
    _signature_starts(bundle)
    with tarfile.open(bundle, mode="r:") as tar:
        for found in tar:
            stream = tar.extractfile(found)
            if stream is not None and found.name != SIGNATURE:
                yield found.name, stream


def _signature_starts(bundle: Path) -> int:
    """Where the header of the last member stands, the signature's. Raises Invalid where there is another."""
    with bundle.open("rb") as file:
        found = list(islice(_headers(file), MOST_MEMBERS + 1))
    if not found or len(found) > MOST_MEMBERS or found[-1][0] != SIGNATURE:
        raise Invalid(NOT_A_BUNDLE)
    return found[-1][1]


def _headers(file: BinaryIO) -> Iterator[tuple[str, int]]:
    """The name and place of each member. Raises Invalid for a header that `write` would not write.

    Tars have links, names and sizes given apart, and sparse files, of which a kilobyte stands for any number of
    terabytes; bundles have none of these, and tarfile is not asked about them.
    """
    place = 0
    while (block := _at(file, place)) != bytes(tarfile.BLOCKSIZE):
        try:
            found = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
            plain = _header(found.name, found.size).tobuf(tarfile.USTAR_FORMAT) == block
        except (tarfile.TarError, ValueError) as error:
            raise Invalid(NOT_A_BUNDLE) from error
        if not plain:
            raise Invalid(NOT_A_BUNDLE)
        yield found.name, place
        place += tarfile.BLOCKSIZE + found.size + -found.size % tarfile.BLOCKSIZE


def _at(file: BinaryIO, place: int) -> bytes:
    file.seek(place)
    return file.read(tarfile.BLOCKSIZE)


def _signature(tail: bytes) -> tuple[str, str]:
    """The key and the signature that the end of a bundle holds."""
    try:
        with tarfile.open(fileobj=io.BytesIO(tail), mode="r:") as tar:
            stream = tar.extractfile(SIGNATURE)
            found = json.loads(stream.read()) if stream else {}
        return str(found["key"]), str(found["signature"])
    except (tarfile.TarError, EOFError, KeyError, TypeError, ValueError) as error:
        raise Invalid(CHANGED) from error


def _tail(key: str, signature: str) -> bytes:
    """The signature's member and the end of the archive, always the same bytes."""
    content = json.dumps({"algorithm": "ed25519", "key": key, "signature": signature}, sort_keys=True).encode()
    header = _header(SIGNATURE, len(content)).tobuf(tarfile.USTAR_FORMAT)
    padding = -len(content) % tarfile.BLOCKSIZE
    return header + content + bytes(padding + 2 * tarfile.BLOCKSIZE)


def _header(name: str, size: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(name)
    header.size = size
    return header


def _digest(path: Path, end: int) -> bytes:
    """The sha256 of the first `end` bytes of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        left = end
        while left and (block := _read(file, left)):
            digest.update(block)
            left -= len(block)
    return digest.digest()


def _read(file: BinaryIO, most: int) -> bytes:
    return file.read(min(BLOCK, most))
