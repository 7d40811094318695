"""Memory of a model server while it works, without TorchServe's own Java process (bytes)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from dynaboard.measurement.samplers import MemoryUse, Sampler, SamplerChoice
from dynaboard.runtime import Served

AUTO = SamplerChoice()


class MemorySampler:
    """Drives a sampler over one run. `use` holds the result after the run; before, it must not be asked for."""

    use: MemoryUse

    def __init__(self, server: Served, hertz: float, choice: SamplerChoice = AUTO) -> None:
        self._server = server
        self._choice = choice
        self._hertz = hertz

    @property
    def samples(self) -> list[tuple[float, int]]:
        """(seconds since the start, bytes of anonymous and shared memory)."""
        return list(self.use.samples)

    @property
    def peak(self) -> int:
        """The most at any moment of the run, in bytes."""
        return self.use.peak

    @contextlib.asynccontextmanager
    async def sampling(self) -> AsyncIterator[None]:
        """Sample inside the block, at its first and last moment too. Raises PlatformFailure without figures."""
        sampler = self._server.host.sampler(self._server, self._choice, self._hertz)
        await asyncio.to_thread(sampler.begin)  # it may be far away
        sampling = asyncio.create_task(self._take_for_ever(sampler))
        try:
            yield
        finally:
            sampling.cancel()
        self.use = await asyncio.to_thread(sampler.end)  # it may wait for a scrape

    async def _take_for_ever(self, sampler: Sampler) -> None:
        while True:
            await asyncio.sleep(1 / self._hertz)
            sampler.take()
