"""Drives a model server: lists of examples in, checked answers out, without ever being the slower of the two."""

import asyncio
import itertools
import json
import time
from collections import deque
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp

from dynaboard.contract import Answer, read_answers, wire_examples
from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import failures
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.server import ModelServer

Examples = Sequence[Mapping[str, Any]]
# TorchServe kills a worker that is too slow and says so; we wait a little longer than it does.
MARGIN_S = 5.0


class Predictor:
    """A connection to one model server for one task; use it as an async context manager.

    `server` may be a running server, its Unix socket, or a URL (`http://host:port`).
    """

    def __init__(self, server: ModelServer | Path | str, task: Task, predict_s: float) -> None:
        self.task = task
        self._server = server if isinstance(server, ModelServer) else None
        address = server.address if isinstance(server, ModelServer) else str(server)
        self._socket = None if address.startswith("http") else address.removeprefix("unix:")
        self._url = f"{'http://model' if self._socket else address}/predictions/model"
        self._limits = server.limits if isinstance(server, ModelServer) else Limits(predict_s=predict_s)
        self._predict_s = predict_s
        self._last_answer = 0.0

    async def __aenter__(self) -> Self:
        connector = aiohttp.UnixConnector(self._socket) if self._socket else aiohttp.TCPConnector()
        self._session = aiohttp.ClientSession(
            connector=connector,
            timeout=aiohttp.ClientTimeout(total=None),
            headers={"Content-Type": "application/json"},
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def predict(self, examples: Examples) -> list[Answer]:
        """Answer these examples in one request. Raises ModelFailure (the model's fault) or PlatformFailure (ours)."""
        return await self._answer(examples, 0, 1)

    async def stream(
        self, examples: Iterable[Mapping[str, Any]], batch_size: int, in_flight: int = 2
    ) -> AsyncGenerator[list[Answer], None]:
        """Yield checked answers in the order of the examples, a batch at a time, keeping `in_flight` requests going.

        Memory is bounded by the batches in flight. Raises as `predict` does; what was yielded before stands.
        """
        source, position = iter(examples), 0
        waiting: deque[asyncio.Task[list[Answer]]] = deque()
        try:
            while True:
                batch = list(itertools.islice(source, batch_size))
                if batch:
                    waiting.append(asyncio.create_task(self._answer(batch, position, in_flight)))
                    position += len(batch)
                if not waiting:
                    return
                if not batch or len(waiting) >= in_flight:
                    yield await waiting.popleft()
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def _answer(self, batch: Examples, first: int, in_flight: int) -> list[Answer]:
        payload = json.dumps(wire_examples(self.task, batch, first)).encode()
        sent = time.monotonic()
        status, text = await self._post(payload, self._predict_s * in_flight + MARGIN_S)
        begun = max(sent, self._last_answer)  # one worker: it began when it was done with the request before
        self._last_answer = time.monotonic()
        said = _decoded(text)
        if status != 200 or "answers" not in said:
            raise self._failure(status, said, self._last_answer - begun)
        return read_answers(self.task, batch, said["answers"], first)

    async def _post(self, payload: bytes, timeout_s: float) -> tuple[int, bytes]:
        try:
            async with asyncio.timeout(timeout_s), self._session.post(self._url, data=payload) as response:
                return response.status, await response.read()
        except TimeoutError as error:
            raise failures.too_slow(self._limits) from error
        except aiohttp.ClientError as error:
            if self._server and self._server.verdict:
                raise ModelFailure(self._server.verdict) from error
            raise PlatformFailure(f"The model server hung up: {error}") from error

    def _failure(self, status: int, said: dict[str, Any], seconds: float) -> DynaboardError:
        if self._server and self._server.verdict:
            return ModelFailure(self._server.verdict)
        if status == 200:
            return failures.told(said.get("failure", {}), self._limits)
        failure = failures.refused(status, said)
        if isinstance(failure, ModelFailure) and seconds >= self._predict_s:
            return failures.too_slow(self._limits)
        return failure


def _decoded(text: bytes) -> dict[str, Any]:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return {"message": text[:200].decode(errors="replace")}
    return said if isinstance(said, dict) else {}
