"""`dynaboard package`, and the archive that check and submit work on."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynaboard.cli.options import Json
from dynaboard.cli.output import print_json, size
from dynaboard.errors import Invalid

if TYPE_CHECKING:
    from dynaboard.archive import Contents


@dataclass(frozen=True)
class Packed:
    """An archive on disk that passed the checks, and its sha256."""

    path: Path
    sha256: str
    contents: "Contents"


@contextmanager
def packed(source: Path) -> Iterator[Packed]:
    """The archive at `source`, or of the folder there, made for the while. Raises Invalid as the server would."""
    if not source.is_dir():
        with source.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield _checked(source, digest)
        return
    with tempfile.TemporaryDirectory(prefix="dynaboard-") as scratch:
        yield _build(source, Path(scratch) / "model.zip")


def _build(folder: Path, target: Path) -> Packed:
    from dynaboard import archive

    return _checked(target, archive.build(folder, target))


def _checked(path: Path, digest: str) -> Packed:
    from dynaboard import archive

    with path.open("rb") as file:
        return Packed(path, digest, archive.check(file))


def package(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", exists=True, file_okay=False, help="The model's folder.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Default: the model's name and .zip, here.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the archive that submit would send.

    The same files give the same bytes.
    """
    from dynaboard.manifest import MANIFEST, read_manifest

    manifest_file = folder / MANIFEST
    if not manifest_file.is_file():
        raise Invalid(f"{folder} has no {MANIFEST}; start from `dynaboard init`.")
    target = output or Path(f"{read_manifest(manifest_file.read_bytes()).name}.zip")
    made = _build(folder, target)
    length = target.stat().st_size
    if as_json:
        print_json({"archive": str(target), "sha256": made.sha256, "size": length, "files": len(made.contents.entries)})
    else:
        print(f"{target}: {len(made.contents.entries)} files, {size(length)}, sha256 {made.sha256}")
