"""Drives a model server: lists of examples in, checked answers out, without ever being the slower of the two."""

import asyncio
import itertools
import json
import time
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dynaboard.contract import Answer, read_answers, wire_examples
from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import failures
from dynaboard.runtime.connection import Connection
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.server import ModelServer

Examples = Sequence[Mapping[str, Any]]
TARGET = "/predictions/model"
# TorchServe kills a worker that is too slow and says so; we wait a little longer than it does.
MARGIN_S = 5.0


Reply = tuple[int, bytes, float]


@dataclass(frozen=True)
class Batch:
    """Examples, the position of the first in their stream, and the request they make."""

    examples: Examples
    first: int
    payload: bytes


class Predictor:
    """Connections to one model server for one task; use it as an async context manager.

    `server` may be a running server, its Unix socket, or a URL (`http://host:port`).
    """

    def __init__(self, server: ModelServer | Path | str, task: Task, predict_s: float) -> None:
        self.task = task
        self._server = server if isinstance(server, ModelServer) else None
        self._address = _address(server)
        self._limits = server.limits if isinstance(server, ModelServer) else Limits(predict_s=predict_s)
        self._predict_s = predict_s
        self._connections: list[Connection] = []
        self._idle: list[Connection] = []
        self._last_answer = 0.0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self._connections:
            connection.close()

    async def predict(self, examples: Examples) -> list[Answer]:
        """Answer these examples in one request. Raises ModelFailure (the model's fault) or PlatformFailure (ours)."""
        batch = self._encoded(examples, 0)
        return self._read(batch, await self._send(batch, in_flight=1))

    async def stream(
        self, examples: Iterable[Mapping[str, Any]], batch_size: int, in_flight: int = 2
    ) -> AsyncGenerator[list[Answer], None]:
        """Yield checked answers in the order of the examples, a batch at a time, keeping `in_flight` requests going.

        Memory is bounded by the batches in flight and one more, encoded ahead: the next request leaves before the
        last answer is checked. Raises as `predict` does; what was yielded before stands.
        """
        batches = self._batches(examples, batch_size)
        waiting = deque(self._sending(batch, in_flight) for batch in itertools.islice(batches, in_flight))
        ahead = next(batches, None)
        try:
            while waiting:
                batch, sending = waiting[0]
                reply = await sending
                waiting.popleft()
                if ahead is not None:
                    waiting.append(self._sending(ahead, in_flight))
                    await asyncio.sleep(0)  # let it leave now
                    ahead = next(batches, None)
                yield self._read(batch, reply)
        finally:
            tasks = [task for _, task in waiting]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _batches(self, examples: Iterable[Mapping[str, Any]], batch_size: int) -> Iterator[Batch]:
        source, first = iter(examples), 0
        while batch := list(itertools.islice(source, batch_size)):
            yield self._encoded(batch, first)
            first += len(batch)

    def _encoded(self, examples: Examples, first: int) -> Batch:
        return Batch(examples, first, json.dumps(wire_examples(self.task, examples, first)).encode())

    def _sending(self, batch: Batch, in_flight: int) -> tuple[Batch, asyncio.Task[Reply]]:
        return batch, asyncio.create_task(self._send(batch, in_flight))

    async def _send(self, batch: Batch, in_flight: int) -> Reply:
        """One request over a free connection, with the seconds that the model was at it."""
        connection = self._idle.pop() if self._idle else self._opened()
        sent = time.monotonic()
        try:
            async with asyncio.timeout(self._predict_s * in_flight + MARGIN_S):
                status, text = await connection.post(TARGET, batch.payload)
        except TimeoutError as error:
            raise failures.too_slow(self._limits) from error
        except (OSError, EOFError, ValueError) as error:
            raise self._hung_up(error) from error
        finally:
            self._idle.append(connection)
        begun = max(sent, self._last_answer)  # one worker: it began when it was done with the request before
        self._last_answer = time.monotonic()
        return status, text, self._last_answer - begun

    def _opened(self) -> Connection:
        self._connections.append(Connection(self._address))
        return self._connections[-1]

    def _hung_up(self, error: Exception) -> DynaboardError:
        if self._server and self._server.verdict:
            return ModelFailure(self._server.verdict)
        return PlatformFailure(f"The model server hung up: {type(error).__name__} {error}")

    def _read(self, batch: Batch, reply: Reply) -> list[Answer]:
        status, text, seconds = reply
        said = _decoded(text)
        if status == 200 and "answers" in said:
            return read_answers(self.task, batch.examples, said["answers"], batch.first)
        if self._server and self._server.verdict:
            raise ModelFailure(self._server.verdict)
        if status == 200:
            raise failures.told(said.get("failure", {}), self._limits)
        failure = failures.refused(status, said)
        if isinstance(failure, ModelFailure) and seconds >= self._predict_s:
            raise failures.too_slow(self._limits)
        raise failure


def _address(server: ModelServer | Path | str) -> str:
    if isinstance(server, ModelServer):
        return server.address
    return str(server) if str(server).startswith(("http://", "unix:")) else f"unix:{server}"


def _decoded(text: bytes) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {"message": text[:200].decode(errors="replace")}
    return said if isinstance(said, dict) else {}
