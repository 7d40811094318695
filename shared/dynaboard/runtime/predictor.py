"""Drives a model server: lists of examples in, checked answers out, without ever being the slower of the two."""

import asyncio
import itertools
import json
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from dynaboard.contract import Answer, read_answers, wire_examples
from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import failures
from dynaboard.runtime.connection import Connection
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.served import Served

Examples = Sequence[Mapping[str, Any]]
TARGET = b"/predictions/model"
# TorchServe kills a worker that is too slow and says so; we wait a little longer than it does.
MARGIN_S = 5.0


class Batch(NamedTuple):
    """Examples, the position of the first in their stream, and the request they make."""

    examples: Examples
    first: int
    payload: bytes


class Sent(NamedTuple):
    """A request under way, and when it left."""

    batch: Batch
    connection: Connection
    at: float


class Reply(NamedTuple):
    """What came back, unchecked, and the seconds that the model was at it."""

    batch: Batch
    status: int
    text: bytes
    seconds: float


class Predictor:
    """Connections to one model server for one task; use it as an async context manager.

    `server` may be a running server, wherever it runs, its Unix socket, or a URL (`http://host:port`). `on_reply` is
    told each reply's seconds, and should take no time.
    """

    def __init__(self, server: Served | Path | str, task: Task, predict_s: float) -> None:
        self.task = task
        self._server = None if isinstance(server, Path | str) else server
        self._address = _address(server)
        self._limits = self._server.limits if self._server else Limits(predict_s=predict_s)
        self._predict_s = predict_s
        self._connections: list[Connection] = []
        self._idle: list[Connection] = []
        self._last_reply = 0.0
        self.on_reply: Callable[[float], None] | None = None
        self.on_answers: Callable[[Sequence[Answer]], None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self._connections:
            connection.close()

    async def predict(self, examples: Examples) -> list[Answer]:
        """Answer these examples in one request. Raises ModelFailure (the model's fault) or PlatformFailure (ours)."""
        async with aclosing(self.replies(self.encoded(examples, max(len(examples), 1)))) as replies:
            return [answer async for reply in replies for answer in await self.checked(reply)]

    async def stream(
        self, examples: Iterable[Mapping[str, Any]], batch_size: int, in_flight: int = 2
    ) -> AsyncGenerator[list[Answer], None]:
        """Yield checked answers in the order of the examples, a batch at a time, keeping `in_flight` requests going.

        Memory is bounded by the batches in flight and one more, encoded ahead. Raises as `predict` does; what was
        yielded before stands.
        """
        async with aclosing(self.replies(self.encoded(examples, batch_size), in_flight)) as replies:
            async for reply in replies:
                yield await self.checked(reply)

    def encoded(self, examples: Iterable[Mapping[str, Any]], batch_size: int) -> Iterator[Batch]:
        """The requests that these examples make, lazily."""
        source, first = iter(examples), 0
        while batch := list(itertools.islice(source, batch_size)):
            yield Batch(batch, first, json.dumps(wire_examples(self.task, batch, first)).encode())
            first += len(batch)

    async def replies(self, batches: Iterable[Batch], in_flight: int = 2) -> AsyncGenerator[Reply, None]:
        """Send batches and yield what comes back, unchecked and in order; the next leaves before a reply is yielded.

        Each of `in_flight` connections has one request under way. No tasks: one costs as much as a request.
        """
        source, timeout_s = iter(batches), self._predict_s * in_flight + MARGIN_S
        waiting: deque[Sent] = deque()
        try:
            for batch in itertools.islice(source, in_flight):
                waiting.append(await self._sent(batch, self._idle.pop() if self._idle else self._connection()))
            ahead = next(source, None)
            while waiting:
                reply = await self._received(waiting[0], timeout_s)
                connection = waiting.popleft().connection
                if ahead is None:
                    self._idle.append(connection)
                else:
                    waiting.append(await self._sent(ahead, connection))
                    ahead = next(source, None)
                yield reply
        finally:
            for sent in waiting:
                sent.connection.close()
                self._idle.append(sent.connection)

    def _connection(self) -> Connection:
        self._connections.append(Connection(self._address))
        return self._connections[-1]

    async def _sent(self, batch: Batch, connection: Connection) -> Sent:
        try:
            await connection.open()
            connection.send(TARGET, batch.payload)
        except OSError as error:
            raise await self._ended_by() or hung_up(error) from error
        return Sent(batch, connection, time.monotonic())

    async def _received(self, sent: Sent, timeout_s: float) -> Reply:
        try:
            async with asyncio.timeout(timeout_s):
                status, text = await sent.connection.receive()
        except TimeoutError as error:  # a machine that is lost looks like a slow model
            raise await self._ended_by() or failures.too_slow(self._limits) from error
        except ValueError as error:  # TorchServe passes on what headers a worker says
            raise failures.past_the_runtime() from error
        except (OSError, EOFError) as error:
            raise await self._ended_by() or hung_up(error) from error
        begun = max(sent.at, self._last_reply)  # one worker: it began when it was done with the request before
        self._last_reply = time.monotonic()
        if self.on_reply:
            self.on_reply(self._last_reply - begun)
        return Reply(sent.batch, status, text, self._last_reply - begun)

    async def _ended_by(self) -> DynaboardError | None:
        return await asyncio.to_thread(self._server.ended_by) if self._server else None

    async def _verdict(self) -> str | None:
        """A pod is asked over the network."""
        return await asyncio.to_thread(lambda: self._server.verdict if self._server else None)

    async def checked(self, reply: Reply) -> list[Answer]:
        """The answers in a reply, held against the contract. Raises ModelFailure or PlatformFailure."""
        said = _decoded(reply.text)
        if reply.status == 200 and "answers" in said:
            answers = read_answers(self.task, reply.batch.examples, said["answers"], reply.batch.first)
            if self.on_answers:
                self.on_answers(answers)
            return answers
        if verdict := await self._verdict():
            raise ModelFailure(verdict)
        if reply.status == 200:
            raise failures.told(said.get("failure", {}), self._limits)
        failure = failures.refused(reply.status, said)
        if isinstance(failure, ModelFailure) and reply.seconds >= self._predict_s:
            raise failures.too_slow(self._limits)
        raise failure


def hung_up(error: Exception) -> PlatformFailure:
    """Nobody knows why there is no answer."""
    return PlatformFailure(f"The model server hung up: {type(error).__name__} {error}")


def _address(server: Served | Path | str) -> str:
    if not isinstance(server, Path | str):
        return server.address
    return str(server) if str(server).startswith(("http://", "unix:")) else f"unix:{server}"


def _decoded(text: bytes) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {"message": text[:200].decode(errors="replace")}
    return said if isinstance(said, dict) else {}
