"""What a model prints, kept short: it writes into a pipe, and only we write the file."""

import contextlib
import fcntl
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

MIB = 1024**2
# The pipe's size, and the most that one reading takes. Read ten times a second it lets a model print 10 MB/s;
# one that prints more waits for us, and costs neither disk nor time of ours.
PIPE = 1 * MIB
LONGEST = 1 * MIB
KEPT = 256 * 1024
CUT = b"[earlier lines were cut]\n"


class ModelLog:
    """The log file of one model server. Of a longer log the last part stays.

    The file is opened once: in a pod a model may put another one in its place, and only harms its own log.
    `on_text` is told what is printed, in pieces of up to a mebibyte, and should take no time.
    """

    def __init__(self, path: Path, pipe: Path) -> None:
        self.path = path
        self.on_text: Callable[[bytes], None] | None = None
        self._lock = threading.Lock()
        os.mkfifo(pipe, 0o600)
        self._pipe = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        if hasattr(fcntl, "F_SETPIPE_SZ"):
            with contextlib.suppress(OSError):  # a plain user may be allowed less
                fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIPE)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)

    def drain(self) -> None:
        """Move what waits in the pipe to the file."""
        with self._lock:
            if self._pipe < 0:
                return
            text = self._waiting()
            if text:
                self._append(text)
                if self.on_text:
                    self.on_text(text)

    def close(self) -> None:
        """Take the last words; afterwards `drain` does nothing."""
        self.drain()
        with self._lock:
            for descriptor in (self._pipe, self._file):
                if descriptor >= 0:
                    os.close(descriptor)
            self._pipe = self._file = -1

    def tail(self, length: int) -> str:
        """The last `length` characters, up to this moment."""
        self.drain()
        with self._lock:
            text = end_of(self.path, 4 * length) if self._file < 0 else _end(self._file, 4 * length)
        return text.decode(errors="replace")[-length:]

    def _waiting(self) -> bytes:
        try:
            return os.read(self._pipe, PIPE)
        except BlockingIOError:
            return b""

    def _append(self, text: bytes) -> None:
        if os.fstat(self._file).st_size + len(text) > LONGEST:
            text = CUT + (_end(self._file, KEPT) + text)[-KEPT:]
            os.ftruncate(self._file, 0)
        os.write(self._file, text)


def end_of(path: Path, size: int) -> bytes:
    """The last `size` bytes of a plain file; empty for anything else, such as a link or a pipe somebody put there."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return _end(file, size)
    finally:
        os.close(file)


def _end(file: int, size: int) -> bytes:
    seen = os.fstat(file)
    return os.pread(file, size, max(seen.st_size - size, 0)) if stat.S_ISREG(seen.st_mode) else b""
