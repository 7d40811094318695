"""A bundle's files, out of the bundle and checked byte by byte."""

import gzip
import hashlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from dynaboard.bundle import container
from dynaboard.bundle.document import DOCUMENT, MEMBER, BundleDocument
from dynaboard.bundle.signature import PublicKey
from dynaboard.errors import Invalid, NotFound

BLOCK = 1024**2
MOST_DOCUMENT_BYTES = 256 * 1024**2


@dataclass(frozen=True)
class Folder:
    """The members of a bundle as files, under the keys by which the platform's storage knows them."""

    path: Path

    def open(self, key: str) -> Any:
        """A readable stream. Raises NotFound."""
        if not self.has(key):
            raise NotFound(f"The bundle has no {key}.")
        return (self.path / key).open("rb")

    def fetch(self, key: str, target: Path) -> None:
        """A copy as a file. Raises NotFound."""
        with self.open(key) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)

    def has(self, key: str) -> bool:
        """Whether it is there."""
        return (self.path / key).is_file()


@dataclass(frozen=True)
class Unpacked:
    """A bundle that is as it was signed: by whom, what it says, and its files."""

    key: PublicKey
    document: BundleDocument
    files: Folder


def unpack(bundle: Path, folder: Path) -> Unpacked:
    """Check a bundle's signature and every member's digest, and lay its files out in an empty folder.

    Raises Invalid, naming the first member that is not as the document says.
    """
    key = container.check(bundle)
    found: dict[str, str] = {}
    document = None
    for name, stream in container.members(bundle):
        if name == DOCUMENT and document is None:
            document = _document(stream)
        elif re.match(MEMBER, name) and name not in found:
            found[name] = _lay_out(stream, folder / name)
        else:
            raise Invalid(f"The bundle holds {name[:100]!r}, which no bundle has.")
    if document is None:
        raise Invalid(f"The bundle has no {DOCUMENT}; it was not made by Dynaboard.")
    for name in sorted(document.files.keys() | found.keys()):
        if document.files.get(name) != found.get(name):
            raise Invalid(f"{name} is not the file that the bundle's own list names.")
    return Unpacked(key, document, Folder(folder))


def add_datasets(unpacked: Unpacked, paths: Sequence[Path]) -> None:
    """Put datasets that the bundle may not hold beside it: canonical JSON lines, gzipped or not.

    Raises Invalid for a file that is none of the bundle's datasets.
    """
    wanted = {dataset.digest for dataset in unpacked.document.datasets}
    for path in paths:
        raw = path.read_bytes()
        lines = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        digest = hashlib.sha256(lines).hexdigest()
        if digest not in wanted:
            raise Invalid(f"{path} is none of the datasets of this bundle: its sha256 is {digest[:16]}…")
        target = unpacked.files.path / "datasets" / f"{digest}.jsonl.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(lines, mtime=0))


def check_lines(files: Folder, key: str, digest: str) -> None:
    """A gzipped file of lines is what its digest says: datasets and perturbed copies. Raises Invalid."""
    sha256 = hashlib.sha256()
    try:
        with files.open(key) as stream, gzip.open(stream) as lines:
            while block := lines.read(BLOCK):
                sha256.update(block)
    except (OSError, EOFError) as error:
        raise Invalid(f"{key} cannot be read: {error}") from error
    if sha256.hexdigest() != digest:
        raise Invalid(f"{key} does not hold the lines whose digest it bears.")


def _document(stream: IO[bytes]) -> BundleDocument:
    raw = stream.read(MOST_DOCUMENT_BYTES)
    try:
        return BundleDocument.model_validate_json(raw)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise Invalid(f"The bundle's document cannot be read: {place}: {first['msg']}.") from error


def _lay_out(stream: IO[bytes], target: Path) -> str:
    """Copy a member to a file; its sha256."""
    digest = hashlib.sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as file:
        while block := stream.read(BLOCK):
            digest.update(block)
            file.write(block)
    return digest.hexdigest()
