"""One model while it is measured: its requests, encoded once, and what watches its memory."""

from collections.abc import Sequence

from dynaboard.measurement import inputs, statistics
from dynaboard.measurement.blocks import Block, turns
from dynaboard.measurement.endpoint import Endpoint, Examples
from dynaboard.measurement.findings import Memory
from dynaboard.measurement.memory import MemorySampler
from dynaboard.measurement.profiles import Profile
from dynaboard.measurement.throughput import Work
from dynaboard.measurement.warm_up import WarmUp, warm_up


class Subject:
    """The profile's inputs out of these examples, as the model is asked: in its batches, and one by one."""

    def __init__(self, endpoint: Endpoint, examples: Examples, profile: Profile) -> None:
        self.endpoint = endpoint
        self.cold_start = endpoint.server.wait_ready()
        self.memory = MemorySampler(endpoint.server, profile.sample_hz, endpoint.sampling)
        self._profile = profile
        self._length = inputs.pass_length(profile.inputs, endpoint.batch_size)
        chosen = inputs.stratified(examples, self._length, endpoint.predictor.task.inputs)
        self.batches = list(endpoint.predictor.encoded(chosen, endpoint.batch_size))
        self.single = list(endpoint.predictor.encoded(chosen, 1))

    async def ready(self) -> tuple[Work, WarmUp]:
        """Warm the model up, and cut its work into blocks. Raises ModelFailure or PlatformFailure."""
        predictor, profile = self.endpoint.predictor, self._profile
        warm = await warm_up(predictor, self.batches, profile)
        pass_s = self._length / warm.rate
        cut = turns(self.batches, pass_s, profile.pair_s, profile.turn_s)
        whole_s = sum(map(len, cut)) / len(self.batches) * pass_s
        return Work(predictor, cut, whole_s / len(cut)), warm

    def memory_over(self, blocks: Sequence[Block]) -> Memory:
        """What the sampling found; the mean is that of the model's own blocks."""
        use = self.memory.use
        spans = [(block.start_s, block.start_s + block.seconds) for block in blocks]
        return Memory(statistics.mean_within(use.samples, spans), use)
