"""The init container's part: take the model's archive, hold it against its digest, unpack it, end."""

import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from dynaboard import delivery
from dynaboard.errors import DynaboardError, PlatformFailure
from dynaboard.manifest import MANIFEST
from dynaboard.runtime.pod.control import Call, ControlServer, Route, Routes, Said, failed
from dynaboard.runtime.pod.options import ENDED, Options
from dynaboard.runtime.pod.termination import status_of, tell


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
            manifest = unpacked(call.stream, self._options.digest, self._options.model_dir)
        except DynaboardError as failure:
            self._status = status_of(failure)
            tell(self._options.termination_log, failure)
            return Said(failure.status, failed(failure), self._over.set)
        return Said(200, {"manifest": manifest}, self._over.set)

    def wait(self) -> int:
        """Block until an archive has come; return the exit status."""
        self._over.wait()
        return self._status


def unpacked(blocks: Iterator[bytes], digest: str, folder: Path) -> str:
    """Unpack an archive into the empty `folder` if its sha256 is this one; returns the text of its manifest.

    Raises ModelFailure when it is no archive, PlatformFailure when it is another one or cannot be written.
    """
    try:
        delivery.unpack(blocks, digest, folder)
        return (folder / MANIFEST).read_text()
    except (OSError, ValueError) as error:
        raise PlatformFailure(f"The archive did not come through to the model's pod: {error}") from error


def receive(options: Options) -> int:
    """Run until an archive has come; return the exit status."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(ENDED))  # process 1 has no default for it
    receiver = Receiver(options)
    ControlServer(options.control, options.token, receiver.routes).begin()
    return receiver.wait()
