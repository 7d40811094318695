"""A large file from the platform, written to disk as it comes."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx

from dynaboard.client.answers import checked, reaching
from dynaboard.client.connection import Connection

OnProgress = Callable[[int, int], None]

# The platform puts a bundle together before its first byte comes.
TIMEOUT = httpx.Timeout(900.0, connect=5.0)
_NAME = re.compile(r'filename="([A-Za-z0-9][A-Za-z0-9._-]*)"')


def save(connection: Connection, url: str, target: Path, on_progress: OnProgress | None = None) -> Path:
    """Stream the answer to GET `url` into `target`, or under the name it comes with if that is a folder; the file.

    What is there already is replaced once all has arrived, not before. `on_progress(received, total)` counts bytes;
    the total is 0 where the platform does not tell it. Raises Unavailable when the connection breaks.
    """
    with reaching(connection.url), connection.http.stream("GET", url, timeout=TIMEOUT) as response:
        checked(response)
        file = target / _name(response) if target.is_dir() else target
        partial = file.with_name(f"{file.name}.part")
        try:
            _write(response, partial, on_progress)
            return partial.replace(file)
        finally:
            partial.unlink(missing_ok=True)


def _write(response: httpx.Response, partial: Path, on_progress: OnProgress | None) -> None:
    total, received = int(response.headers.get("content-length", 0)), 0
    with partial.open("wb") as file:
        for piece in response.iter_bytes():
            file.write(piece)
            received += len(piece)
            if on_progress:
                on_progress(received, total)


def _name(response: httpx.Response) -> str:
    """The name that the platform gives the file; never a path."""
    found = _NAME.search(response.headers.get("content-disposition", ""))
    return found[1] if found else "dynaboard.bundle.tar"
