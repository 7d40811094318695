"""A submitted archive on its way from object storage to a folder."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from dynaboard.archive import Contents, extract, object_key
from dynaboard.errors import Invalid, ModelFailure, PlatformFailure
from dynaboard.storage import Storage
from dynaboard.zip_directory import Limits

# Upload has held the archive against the installation's limits; here only nonsense is refused.
ACCEPTED = Limits(entries=1_000_000, directory=256 * 1024**2, unpacked=1024**4, ratio=1_000_000)


@dataclass(frozen=True)
class Archive:
    """Which archive: the submission it came with, and its sha256."""

    submission_id: str
    digest: str


@dataclass(frozen=True)
class Parcel:
    """An archive on its way to where its model runs; `chunks` yields its bytes. Raises NotFound when they are gone."""

    submission_id: str
    digest: str
    chunks: Callable[[], Iterable[bytes]]


def parcel_of(storage: Storage, archive: Archive) -> Parcel:
    """A submitted archive, out of object storage."""
    return Parcel(archive.submission_id, archive.digest, lambda: storage.chunks(object_key(archive.submission_id)))


def fetch_archive(parcel: Parcel, folder: Path, stopped: Callable[[], bool]) -> Contents:
    """Fetch an archive and unpack it into the new `folder`, in constant memory.

    Raises PlatformFailure when the stored bytes are not those that were submitted or `stopped()` becomes true, NotFound
    when they are gone, ModelFailure when the archive is not one.
    """
    folder.mkdir(parents=True)
    packed, found = folder.with_name(f"{folder.name}.zip"), hashlib.sha256()
    with packed.open("wb") as file:
        for chunk in parcel.chunks():
            if stopped():
                raise PlatformFailure("The model was stopped while it was fetched.")
            found.update(chunk)
            file.write(chunk)
    if found.hexdigest() != parcel.digest:
        raise PlatformFailure(f"The stored archive of {parcel.submission_id} holds other bytes than were submitted.")
    try:
        with packed.open("rb") as file:
            contents = extract(file, folder, ACCEPTED)
    except Invalid as error:
        raise ModelFailure(error.detail) from error
    packed.unlink()
    return contents
