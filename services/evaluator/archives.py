"""A submitted archive on its way from object storage to a folder."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dynaboard import delivery
from dynaboard.archive import Contents, object_key
from dynaboard.errors import PlatformFailure
from dynaboard.storage import Storage


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
    return delivery.unpack(_until(stopped, parcel.chunks()), parcel.digest, folder)


def _until(stopped: Callable[[], bool], chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        if stopped():
            raise PlatformFailure("The model was stopped while it was fetched.")
        yield chunk
