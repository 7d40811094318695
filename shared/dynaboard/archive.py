"""Archives: what a submitter packs, what the platform accepts, and how it is unpacked. Pure: files in, files out."""

import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal

from dynaboard.errors import Invalid
from dynaboard.handler_source import check_handler_source
from dynaboard.manifest import MANIFEST, MANIFEST_BYTES, Manifest, read_manifest
from dynaboard.zip_directory import FOLLOW_PACKAGE, Limits, check_name, open_archive

MAR_FOLDER = "MAR-INF"
MAR_MANIFEST = "MAR-INF/MANIFEST.json"
TORCHSERVE_SETTINGS = "model-config.yaml"
PREDICTIONS = "predictions"
HANDLER_BYTES = 128 * 1024
BLOCK = 1024**2
EPOCH = (1980, 1, 1, 0, 0, 0)

Kind = Literal["model", "mar", "predictions"]


@dataclass(frozen=True)
class Contents:
    """A checked archive. `entries` maps each file's path to its unpacked size in bytes."""

    manifest: Manifest
    kind: Kind
    entries: dict[str, int]

    @property
    def size(self) -> int:
        """Unpacked size in bytes."""
        return sum(self.entries.values())

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets a prediction-only submission holds predictions for."""
        return tuple(PurePosixPath(name).stem for name in self.entries if name.startswith(f"{PREDICTIONS}/"))


def object_key(submission_id: str) -> str:
    """Where the archive of a submission lies in object storage."""
    return f"archives/{submission_id}.zip"


def build(folder: Path, target: Path) -> str:
    """Packs `folder` into the zip `target` and returns its sha256; the same files give the same bytes.

    Hidden files and caches are left out. Nothing is compressed: weights hardly shrink, and time is the author's.
    Raises Invalid for links, special files and names that another system could not hold.
    """
    if not folder.is_dir():
        raise Invalid(f"{folder} is not a folder.")
    partial = target.with_name(f".{target.name}.part")
    try:
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            for path in _files(folder, leave_out={target.absolute(), partial.absolute()}):
                _add(archive, path, path.relative_to(folder).as_posix())
        with partial.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return digest


def check(file: BinaryIO, limits: Limits | None = None) -> Contents:
    """What the archive in a seekable file holds. Raises Invalid, in one sentence, for the first thing wrong with it.

    Nothing is executed and little is read: the directory, the manifest and the handler's source.
    """
    with open_archive(file, limits or Limits()) as archive:
        entries = {entry.filename: entry.file_size for entry in archive.infolist() if not entry.is_dir()}
        if MANIFEST not in entries:
            raise Invalid(_no_manifest(entries))
        manifest = read_manifest(_read(archive, MANIFEST, MANIFEST_BYTES))
        kind = _kind(archive, entries, manifest)
        if kind == "predictions":
            _check_predictions(entries)
        else:
            _check_handler(archive, entries, manifest)
    return Contents(manifest, kind, dict(sorted(entries.items())))


def extract(file: BinaryIO, folder: Path, limits: Limits | None = None) -> Contents:
    """Checks the archive and unpacks it into the empty `folder`, a `.mar` as if it were the plain archive.

    Bytes are counted while they are written. Files are readable by all and executable by none. Raises Invalid.
    """
    limits = limits or Limits()
    contents = check(file, limits)
    left = limits.unpacked
    with zipfile.ZipFile(file) as archive:
        for name in contents.entries:
            if name in (MAR_MANIFEST, TORCHSERVE_SETTINGS):
                continue
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with os.fdopen(os.open(path, flags, 0o644), "wb") as target:
                for block in _blocks(archive, name):
                    left -= len(block)
                    if left < 0:
                        raise Invalid(f"The archive unpacks to more than {limits.unpacked / 1024**3:.1f} GiB.")
                    target.write(block)
    return contents


def _files(folder: Path, leave_out: set[Path]) -> Iterator[Path]:
    """The files worth packing, in one order everywhere."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.startswith(".") or path.name == "__pycache__" or path.suffix == ".pyc":
            continue
        if path.is_symlink():
            raise Invalid(f"{path} is a link; put the file itself there.")
        if path.is_dir():
            yield from _files(path, leave_out)
        elif not path.is_file():
            raise Invalid(f"{path} is neither a file nor a folder; remove it.")
        elif path.absolute() not in leave_out:
            yield path


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    check_name(name)
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.create_system = 3
    entry.external_attr = 0o100644 << 16
    entry.file_size = path.stat().st_size
    with path.open("rb") as source, archive.open(entry, "w") as target:
        shutil.copyfileobj(source, target, BLOCK)


def _blocks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """The bytes of one entry, which `zipfile` holds against its checksum."""
    try:
        with archive.open(name) as source:
            while block := source.read(BLOCK):
                yield block
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, UnicodeDecodeError):
        raise Invalid(f"The archive's entry {name[:80]!r} is damaged; {FOLLOW_PACKAGE} and send it again.") from None


def _read(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """One small entry; a byte beyond `limit` is enough to refuse it."""
    read = b""
    for block in _blocks(archive, name):
        read += block
        if len(read) > limit:
            raise Invalid(f"{name[:80]} is larger than {limit // 1024} KiB; shorten it.")
    return read


def _no_manifest(entries: dict[str, int]) -> str:
    inside = next((name for name in entries if PurePosixPath(name).name == MANIFEST), None)
    if inside:
        return f"{MANIFEST} must lie at the top of the archive, not at {inside[:80]!r}; pack the folder's contents."
    return f"The archive has no {MANIFEST}; start from `dynaboard init` and {FOLLOW_PACKAGE}."


def _kind(archive: zipfile.ZipFile, entries: dict[str, int], manifest: Manifest) -> Kind:
    mar_files = [name for name in entries if name.split("/")[0].upper() == MAR_FOLDER]
    if MAR_MANIFEST in mar_files:
        if len(mar_files) > 1:
            raise Invalid(f"{MAR_FOLDER} may hold MANIFEST.json only; remove the other files.")
        _check_mar(_read(archive, MAR_MANIFEST, MANIFEST_BYTES), entries, manifest)
        return "mar"
    if mar_files:
        raise Invalid(f"{mar_files[0][:80]!r} belongs to a TorchServe archive, which needs {MAR_MANIFEST}; remove it.")
    if TORCHSERVE_SETTINGS in entries:
        raise Invalid(f"{TORCHSERVE_SETTINGS} is written by the platform; remove it and set batch_size in {MANIFEST}.")
    return "model" if manifest.handler else "predictions"


def _check_mar(text: bytes, entries: dict[str, int], manifest: Manifest) -> None:
    try:
        parsed = json.loads(text)
        handler = str(parsed["model"]["handler"]).partition(":")[0]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Invalid(f"{MAR_MANIFEST} is not TorchServe's: it must be JSON with model.handler.") from None
    if not {handler, f"{handler}.py"} & entries.keys():
        raise Invalid(f"{MAR_MANIFEST} names the handler {handler[:80]!r}, which is not in the archive.")
    if not manifest.handler:
        raise Invalid(f"{MANIFEST}: `handler` is missing; a .mar needs it too, for example handler.py:Handler.")


def _check_predictions(entries: dict[str, int]) -> None:
    if not any(name.startswith(f"{PREDICTIONS}/") for name in entries):
        raise Invalid(
            f"{MANIFEST} names no handler and there is no {PREDICTIONS}/<dataset>.jsonl; add one or the other."
        )
    for name in sorted(entries.keys() - {MANIFEST}):
        path = PurePosixPath(name)
        if path.parts[0] != PREDICTIONS or len(path.parts) != 2 or path.suffix != ".jsonl":
            wanted = f"{MANIFEST} and {PREDICTIONS}/<dataset>.jsonl only"
            raise Invalid(f"{name[:80]!r} has no place in a prediction-only submission: {wanted}.")


def _check_handler(archive: zipfile.ZipFile, entries: dict[str, int], manifest: Manifest) -> None:
    name, wanted = manifest.handler_file, manifest.handler_class
    if name not in entries:
        raise Invalid(f"{MANIFEST} names the handler {name!r}, which is not in the archive; add the file.")
    check_handler_source(_read(archive, name, HANDLER_BYTES), name, wanted)
