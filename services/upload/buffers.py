"""The memory that parts are received into: a fixed number of buffers, lent to one request at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Buffers:
    """At most `count` buffers of `size` bytes, made when first needed. Who finds none waits, and its client with it."""

    def __init__(self, count: int, size: int) -> None:
        self._size = size
        self._permits = asyncio.Semaphore(count)
        self._free: list[bytearray] = []

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[memoryview]:
        """A buffer for the length of the block. The last one used comes first, so an idle service touches one only."""
        async with self._permits:
            buffer = self._free.pop() if self._free else bytearray(self._size)
            try:
                yield memoryview(buffer)
            finally:
                self._free.append(buffer)
