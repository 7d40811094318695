"""An archive in parts: two on their way at a time, each checked, each tried again, and the whole resumable."""

import hashlib
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeVar

import httpx
from tenacity import (
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_after_delay,
    stop_any,
    stop_when_event_set,
    wait_random_exponential,
)

from dynaboard.client.answers import checked
from dynaboard.errors import Conflict, DynaboardError, PlatformFailure, QuotaExceeded, Unavailable
from dynaboard.schemas import Complete, PartsView, SubmissionView

Answer = TypeVar("Answer")
OnProgress = Callable[[int, int], None]

# While the platform stores one part, the next is on its way; more would only arrive out of order.
IN_FLIGHT = 2
PIECE = 256 * 1024
GIVE_UP_S = 180.0
RESTARTS = 3
# A large archive may have to be read once more on the platform's side.
COMPLETE_TIMEOUT = httpx.Timeout(900.0, connect=10.0)
# Answers after which the same request may succeed: no connection, 5xx, too many requests a minute.
PASSING = (httpx.TransportError, Unavailable, PlatformFailure, QuotaExceeded)


@dataclass
class _Progress:
    """Bytes sent, told to a listener; parts are sent by several threads."""

    total: int
    listener: OnProgress | None
    sent: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, count: int) -> None:
        with self.lock:
            self.sent += count
            if self.listener:
                self.listener(self.sent, self.total)


@dataclass(frozen=True)
class _Upload:
    http: httpx.Client
    submission_id: str
    path: Path
    progress: _Progress
    # Set when the upload is given up or interrupted: whoever waits to try again, stops.
    stopped: threading.Event = field(default_factory=threading.Event)

    def received(self) -> PartsView:
        """What is there already. The platform begins the upload anew if it lost what was there."""
        answer = _retrying(lambda: checked(self.http.get(f"submissions/{self.submission_id}/parts")), self.stopped)
        return PartsView.model_validate_json(answer.content)

    def send_missing(self, view: PartsView) -> str:
        """Send, in order, the parts that are not there; the sha256 of the whole file."""
        self.progress.add(-self.progress.sent)
        with self.path.open("rb") as file, ThreadPoolExecutor(IN_FLIGHT) as threads:
            try:
                return self._send_from(file, threads, view)
            except BaseException:  # an interrupt too must not wait for the other part's next attempts
                self.stopped.set()
                raise

    def _send_from(self, file: BinaryIO, threads: ThreadPoolExecutor, view: PartsView) -> str:
        whole, there, on_the_way = hashlib.sha256(), set(view.received), deque[Future[None]]()
        for number in range(1, view.parts + 1):
            data = file.read(view.part_size)
            whole.update(data)
            if number in there:
                self.progress.add(len(data))
                continue
            if len(on_the_way) == IN_FLIGHT:
                on_the_way.popleft().result()
            on_the_way.append(threads.submit(self._send, number, data))
        for sent in on_the_way:
            sent.result()
        return whole.hexdigest()

    def complete(self, sha256: str) -> SubmissionView:
        """Say that all is there. Asking twice does no harm."""
        address, body = f"submissions/{self.submission_id}/complete", Complete(sha256=sha256).model_dump()
        answer = _retrying(lambda: checked(self.http.post(address, json=body, timeout=COMPLETE_TIMEOUT)), self.stopped)
        return SubmissionView.model_validate_json(answer.content)

    def _send(self, number: int, data: bytes) -> None:
        headers = {"content-length": str(len(data)), "x-crc32": f"{zlib.crc32(data):08x}"}
        _retrying(lambda: self._put(number, data, headers), self.stopped)

    def _put(self, number: int, data: bytes, headers: dict[str, str]) -> None:
        told = 0

        def pieces() -> Iterator[bytes]:
            nonlocal told
            for start in range(0, len(data), PIECE):
                piece = data[start : start + PIECE]
                yield piece
                self.progress.add(len(piece))
                told += len(piece)

        address = f"submissions/{self.submission_id}/parts/{number}"
        try:
            checked(self.http.put(address, content=pieces(), headers=headers))
        except (httpx.TransportError, DynaboardError):
            self.progress.add(-told)
            raise


def upload_archive(
    http: httpx.Client, submission_id: str, path: Path, on_progress: OnProgress | None = None
) -> SubmissionView:
    """Send the archive at `path` and complete the submission; may be called again after any interruption.

    `http` is rooted where `submissions/…` is; `on_progress(sent, total)` counts bytes, from any thread. Raises the
    platform's refusal as one of `dynaboard.errors`, and httpx.TransportError when no answer came for three minutes.
    """
    progress = _Progress(path.stat().st_size, on_progress)
    for attempt in Retrying(retry=retry_if_exception_type(Conflict), stop=stop_after_attempt(RESTARTS), reraise=True):
        with attempt:
            upload = _Upload(http, submission_id, path, progress)
            return upload.complete(upload.send_missing(upload.received()))
    raise AssertionError("unreachable: the last attempt returns or raises")


def _retrying(send: Callable[[], Answer], stopped: threading.Event) -> Answer:
    """The answer, asked for again with growing waits while what goes wrong may pass, until `stopped` is set."""
    retrying = Retrying(
        retry=retry_if_exception_type(PASSING),
        wait=wait_random_exponential(multiplier=0.4, max=15),
        stop=stop_any(stop_after_delay(GIVE_UP_S), stop_when_event_set(stopped)),
        sleep=sleep_using_event(stopped),
        reraise=True,
    )
    return retrying(send)
