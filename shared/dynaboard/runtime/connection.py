"""HTTP to a model server over one kept connection: a quarter of a general client's CPU time, so that ours never limits.

Speaks exactly what TorchServe answers: HTTP/1.1 with a length. Anything else is an error, not a guess.
"""

import asyncio
from urllib.parse import urlsplit

from dynaboard.runtime.limits import LARGEST_REPLY, MIB

LONGEST_HEAD = 64 * 1024
# TorchServe's own limit (torchserve.py) and room for what it says itself.
LONGEST_BODY = LARGEST_REPLY + 2 * MIB
HEAD = b"POST %b HTTP/1.1\r\nHost: model\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"


class Connection:
    """One connection to `unix:/path` or `http://host:port`. Send, then receive: one request at a time.

    After any failure, a cancellation too, it is closed: a late answer must not meet the next request.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        """Connect, unless connected. Raises OSError when nobody listens."""
        if self._streams is None:
            if self._address.startswith("unix:"):
                path = self._address.removeprefix("unix:")
                self._streams = await asyncio.open_unix_connection(path, limit=LONGEST_HEAD)
            else:
                at = urlsplit(self._address)  # takes the brackets off an address of IPv6
                self._streams = await asyncio.open_connection(at.hostname, at.port or 80, limit=LONGEST_HEAD)

    def send(self, target: bytes, body: bytes) -> None:
        """POST JSON; it leaves at once, without waiting for the event loop's next turn."""
        if self._streams is None:
            raise ConnectionError("not connected")
        self._streams[1].write(HEAD % (target, len(body)) + body)

    async def receive(self) -> tuple[int, bytes]:
        """The answer's status and body. Raises OSError or EOFError on a hang-up, ValueError on nonsense."""
        if self._streams is None:
            raise ConnectionError("not connected")
        reader = self._streams[0]
        try:
            status, length, kept = _parsed(await reader.readuntil(b"\r\n\r\n"))
            answer = await reader.readexactly(length)
        except asyncio.LimitOverrunError as error:
            self.close()
            raise ValueError("the model server sent an endless head") from error
        except BaseException:
            self.close()
            raise
        if not kept:
            self.close()
        return status, answer

    def close(self) -> None:
        """Hang up, if connected."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


def _parsed(head: bytes) -> tuple[int, int, bool]:
    """(status, length of the body, whether the server keeps the connection) of a response's head."""
    head = head.lower()
    _, found, rest = head.partition(b"\r\ncontent-length:")
    if not found:
        raise ValueError("the model server sent an answer without a length")
    length = int(rest[: rest.index(b"\r")])
    if not 0 <= length <= LONGEST_BODY:
        raise ValueError(f"the model server sent an answer of {length} bytes")
    return int(head[9:12]), length, b"\r\nconnection: close" not in head
