"""HTTP to a model server over one kept connection: a quarter of a general client's CPU time, so that ours never limits.

Speaks exactly what TorchServe answers: HTTP/1.1 with a length. Anything else is an error, not a guess.
"""

import asyncio
from types import TracebackType
from typing import Self

LONGEST_HEAD = 64 * 1024


class Connection:
    """One connection to `unix:/path` or `http://host:port`; connects when first needed and again after a hang-up."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def post(self, target: str, body: bytes) -> tuple[int, bytes]:
        """POST JSON; return (status, body). Raises OSError or EOFError on a hang-up, ValueError on nonsense.

        After any failure, a cancellation too, the connection is closed: a late answer must not meet the next request.
        """
        head = f"POST {target} HTTP/1.1\r\nHost: model\r\nContent-Type: application/json\r\n"
        try:
            reader, writer = await self._connected()
            writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            await writer.drain()
            status, length, kept = _parsed(await reader.readuntil(b"\r\n\r\n"))
            answer = await reader.readexactly(length)
        except BaseException:
            self.close()
            raise
        if not kept:
            self.close()
        return status, answer

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._reader is None or self._writer is None:
            if self._address.startswith("unix:"):
                opening = asyncio.open_unix_connection(self._address.removeprefix("unix:"), limit=LONGEST_HEAD)
            else:
                host, _, port = self._address.removeprefix("http://").partition(":")
                opening = asyncio.open_connection(host, int(port or 80), limit=LONGEST_HEAD)
            self._reader, self._writer = await opening
        return self._reader, self._writer

    def close(self) -> None:
        """Hang up, if connected."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def _parsed(head: bytes) -> tuple[int, int, bool]:
    """(status, length of the body, whether the server keeps the connection) of a response's head."""
    first, *lines = head.lower().split(b"\r\n")
    fields = dict(line.split(b":", 1) for line in lines if b":" in line)
    if b"content-length" not in fields:
        raise ValueError("the model server sent an answer without a length")
    kept = fields.get(b"connection", b"").strip() != b"close"
    return int(first.split()[1]), int(fields[b"content-length"]), kept
