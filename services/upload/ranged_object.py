"""A stored object as a seekable file: an archive of many GiB is checked without fetching it."""

import io

from botocore.exceptions import BotoCoreError, ClientError

from dynaboard.errors import NotFound, Unavailable
from dynaboard.storage import MISSING, Storage

READ_AHEAD = 64 * 1024


class _RangedObject(io.RawIOBase):
    def __init__(self, storage: Storage, key: str) -> None:
        self._storage, self._key = storage, key
        self._size = storage.size(key)
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if start + offset < 0:
            raise ValueError("seek before the start")
        self._position = start + offset
        return self._position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        wanted = min(len(buffer), self._size - self._position)
        if wanted <= 0:
            return 0
        data = self._fetch(f"bytes={self._position}-{self._position + wanted - 1}")
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)

    def _fetch(self, span: str) -> bytes:
        try:
            return self._storage.client.get_object(Bucket=self._storage.bucket, Key=self._key, Range=span)[
                "Body"
            ].read()
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") in MISSING:
                raise NotFound from error
            raise Unavailable from error
        except BotoCoreError as error:
            raise Unavailable from error


def open_object(storage: Storage, key: str) -> io.BufferedReader:
    """The object as a file that fetches what is read of it, and a little ahead. Raises NotFound, later Unavailable."""
    return io.BufferedReader(_RangedObject(storage, key), READ_AHEAD)
