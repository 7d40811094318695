"""The init container's part: take the model's archive, hold it against its digest, unpack it, end."""

import hashlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from dynaboard.archive import extract
from dynaboard.errors import DynaboardError, Invalid, ModelFailure, PlatformFailure
from dynaboard.manifest import MANIFEST
from dynaboard.runtime.pod.control import Call, ControlServer, Route, Routes, Said, failed
from dynaboard.runtime.pod.options import ENDED, Options
from dynaboard.runtime.pod.termination import status_of, tell
from dynaboard.zip_directory import Limits

# The upload has held the archive against the installation's limits; here only nonsense is refused.
ACCEPTED = Limits(entries=1_000_000, directory=256 * 1024**2, unpacked=1024**4, ratio=1_000_000)


class Receiver:
    """Takes one archive; whatever comes of it is the end. `wait` tells how it ended."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._one = threading.Lock()
        self._over = threading.Event()
        self._status = ENDED

    @property
    def routes(self) -> Routes:
        """What the control port answers."""
        return {
            ("GET", "/healthz"): Route(lambda call: Said(200, {"role": "receive"}), guarded=False),
            ("PUT", "/archive"): Route(self.take),
        }

    def take(self, call: Call) -> Said:
        """Unpack what is sent; answers with the manifest in it. A second one meanwhile is refused."""
        if not self._one.acquire(blocking=False):
            return Said(409, failed(PlatformFailure("An archive has come to this pod already.")))
        try:
            unpack(call.stream, self._options.digest, self._options.model_dir)
            manifest = (self._options.model_dir / MANIFEST).read_text()
        except DynaboardError as failure:
            self._status = status_of(failure)
            tell(self._options.termination_log, failure)
            return Said(failure.status, failed(failure), self._over.set)
        return Said(200, {"manifest": manifest}, self._over.set)

    def wait(self) -> int:
        """Block until an archive has come; return the exit status."""
        self._over.wait()
        return self._status


def unpack(blocks: Iterator[bytes], digest: str, folder: Path) -> None:
    """Unpack an archive into a folder if its sha256 is this one; the packed bytes lie there too meanwhile.

    Raises ModelFailure when it is no archive, PlatformFailure when it is another one or cannot be written.
    """
    try:
        with TemporaryFile(dir=folder) as packed:
            if _written(blocks, packed) != digest:
                raise PlatformFailure("The stored archive holds other bytes than were submitted.")
            packed.seek(0)
            extract(packed, folder, ACCEPTED)
    except Invalid as error:
        raise ModelFailure(error.detail) from error
    except (OSError, ValueError) as error:
        raise PlatformFailure(f"The archive did not come through to the model's pod: {error}") from error


def _written(blocks: Iterator[bytes], file: BinaryIO) -> str:
    found = hashlib.sha256()
    for block in blocks:
        found.update(block)
        file.write(block)
    return found.hexdigest()


def receive(options: Options) -> int:
    """Run until an archive has come; return the exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))  # process 1 has no default for it
    receiver = Receiver(options)
    ControlServer(options.control, options.token, receiver.routes).begin()
    return receiver.wait()
