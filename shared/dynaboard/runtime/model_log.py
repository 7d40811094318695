"""What a model prints, kept short: it writes into a pipe, and only we write the file."""

import contextlib
import fcntl
import os
import threading
from pathlib import Path

MIB = 1024**2
# The pipe's size, and the most that one reading takes. Read ten times a second it lets a model print 10 MB/s;
# one that prints more waits for us, and costs neither disk nor time of ours.
PIPE = 1 * MIB
LONGEST = 1 * MIB
KEPT = 256 * 1024


class ModelLog:
    """The log file of one model server. Of a longer log the last part stays."""

    def __init__(self, path: Path, pipe: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        os.mkfifo(pipe, 0o600)
        self._pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with contextlib.suppress(OSError):  # a plain user may be allowed less
                fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIPE)
        path.touch()

    def drain(self) -> None:
        """Move what waits in the pipe to the file."""
        with self._lock:
            if self._pipe < 0:
                return
            text = self._waiting()
            if text:
                self._append(text)

    def close(self) -> None:
        """Take the last words; afterwards `drain` does nothing."""
        self.drain()
        with self._lock:
            if self._pipe >= 0:
                os.close(self._pipe)
            self._pipe = -1

    def tail(self, length: int) -> str:
        """The last `length` characters, up to this moment."""
        self.drain()
        return self.path.read_text(errors="replace")[-length:] if self.path.exists() else ""

    def _waiting(self) -> bytes:
        try:
            return os.read(self._pipe, PIPE)
        except BlockingIOError:
            return b""

    def _append(self, text: bytes) -> None:
        if self.path.stat().st_size + len(text) > LONGEST:
            text = (self.path.read_bytes() + text)[-KEPT:]
            self.path.write_bytes(b"[earlier lines were cut]\n" + text)
        else:
            with self.path.open("ab") as file:
                file.write(text)
