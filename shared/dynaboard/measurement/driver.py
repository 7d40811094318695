"""Drives a model server for one block and times it: on the clock our side only passes bytes on."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing

from dynaboard.measurement.blocks import Block
from dynaboard.runtime import Predictor
from dynaboard.runtime.predictor import Batch, Reply

# So that there is always a request for the model to begin with; more connections only make it wait longer.
IN_FLIGHT = 2
# Whether so many requests in so many seconds are enough.
Enough = Callable[[int, float], bool]


class Replies:
    """What came back, for the check off the clock. Equal answers to one request are kept and checked once.

    So a long block of a quick model needs little memory.
    """

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor
        self._kept: dict[tuple[int, bytes], Reply] = {}

    def add(self, reply: Reply) -> bool:
        """Keep a reply; whether it is worth going on."""
        self._kept[reply.batch.first, reply.text] = reply
        return reply.status == 200

    async def check(self) -> None:
        """Hold every reply against the contract. Raises ModelFailure or PlatformFailure."""
        for reply in self._kept.values():
            await self._predictor.checked(reply)
        self._kept.clear()


async def timed(predictor: Predictor, batches: Iterable[Batch], began: float) -> Block:
    """Send these requests, encoded before, and check the answers after. `began`: the run's start (perf_counter).

    Raises ModelFailure or PlatformFailure.
    """
    kept, finished = Replies(predictor), 0
    started = time.perf_counter()
    async with aclosing(predictor.replies(batches, IN_FLIGHT)) as coming:
        async for reply in coming:
            finished += len(reply.batch.examples)
            if not kept.add(reply):
                break
    ended = time.perf_counter()
    await kept.check()
    return Block(started - began, ended - started, finished)


async def singly(predictor: Predictor, batches: Sequence[Batch], long_enough: Enough) -> list[float]:
    """Seconds of single requests, each sent when the one before has returned (MLPerf's single stream).

    Raises ModelFailure or PlatformFailure.
    """
    kept, seconds = Replies(predictor), list[float]()
    began = time.perf_counter()
    while not long_enough(len(seconds), time.perf_counter() - began):
        batch = batches[len(seconds) % len(batches)]
        sent = time.perf_counter()
        async with aclosing(predictor.replies((batch,), 1)) as coming:
            reply = await anext(coming)
        seconds.append(time.perf_counter() - sent)
        if not kept.add(reply):
            break
    await kept.check()
    return seconds
