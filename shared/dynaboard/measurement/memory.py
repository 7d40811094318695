"""Memory of a model server's process tree while it works, without TorchServe's own Java process (bytes)."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator

from dynaboard.runtime import ModelServer, processes


class MemorySampler:
    """Samples (seconds since the start, resident bytes), and the kernel's own peak where it may be asked."""

    def __init__(self, server: ModelServer, hertz: float) -> None:
        self.samples: list[tuple[float, int]] = []
        self.peak = 0
        self._server = server
        self._period_s = 1 / hertz
        self._started = 0.0

    @contextlib.asynccontextmanager
    async def sampling(self) -> AsyncIterator[None]:
        """Sample inside the block, at its first and last moment too."""
        self._started = time.perf_counter()
        pids = self._server.worker_pids()
        # A high-water mark that cannot be reset is that of loading the model, which is not asked for here.
        resettable = [pid for pid in pids if processes.reset_peak(pid)]
        sampling = asyncio.create_task(self._sample_for_ever())
        try:
            yield
        finally:
            sampling.cancel()
            self._sample()
            marks = [processes.peak(pid) for pid in resettable]
            self.peak = max([*marks, *(size for _, size in self.samples)])

    async def _sample_for_ever(self) -> None:
        while True:
            self._sample()
            await asyncio.sleep(self._period_s)

    def _sample(self) -> None:
        self.samples.append((time.perf_counter() - self._started, processes.resident(self._server.worker_pids())))
