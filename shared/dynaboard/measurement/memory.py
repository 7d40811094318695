"""Memory of a model server while it works, without TorchServe's own Java process (bytes)."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from dynaboard.measurement.samplers import MemoryUse, Sampler, SamplerChoice, sampler_for
from dynaboard.runtime import ModelServer

AUTO = SamplerChoice()


class MemorySampler:
    """Drives a sampler over one run. `use` holds the result after the run; before, it must not be asked for."""

    use: MemoryUse

    def __init__(self, server: ModelServer, hertz: float, choice: SamplerChoice = AUTO) -> None:
        self._server = server
        self._choice = choice
        self._period_s = 1 / hertz

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
        sampler = sampler_for(self._server, self._choice)
        sampler.begin()
        sampling = asyncio.create_task(self._take_for_ever(sampler))
        try:
            yield
        finally:
            sampling.cancel()
        self.use = await asyncio.to_thread(sampler.end)  # it may wait for a scrape

    async def _take_for_ever(self, sampler: Sampler) -> None:
        while True:
            await asyncio.sleep(self._period_s)
            sampler.take()
