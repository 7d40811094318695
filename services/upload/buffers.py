"""The memory that parts are received into: a fixed number of buffers, lent to one request at a time, half to anyone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Buffers:
    """At most `count` buffers of `size` bytes, made when first needed. Who finds none waits, and its client with it.

    One borrower has at most half of them at once: slow parts of one submitter hold up only that submitter.
    """

    def __init__(self, count: int, size: int) -> None:
        self._size = size
        self._permits = asyncio.Semaphore(count)
        self._free: list[bytearray] = []
        self._most_of_one = max(1, count // 2)
        # Forgotten with the last request that waits or borrows under a name.
        self._shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def lend(self, borrower: str) -> AsyncIterator[memoryview]:
        """A buffer for the length of the block. The last one used comes first, so an idle service touches one only."""
        share = self._shares.setdefault(borrower, asyncio.Semaphore(self._most_of_one))
        async with share, self._permits:
            buffer = self._free.pop() if self._free else bytearray(self._size)
            try:
                yield memoryview(buffer)
            finally:
                self._free.append(buffer)
