"""A service behind the gateway that tells what it was asked; its answers can be held up and watched."""

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

PIECE = bytes(64 * 1024)


@dataclass
class Echo:
    """What a test watches and steers. `hold` stops bodies and events until it is set."""

    name: str
    hold: threading.Event = field(default_factory=threading.Event)
    watching: int = 0
    broken_off: int = 0
    produced: int = 0

    def app(self) -> Starlette:
        """Answers anything; a few addresses answer in a way of their own."""
        methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
        routes = [
            Route("/leaderboards/{task}/events", self._events),
            Route("/submissions/{id}/archive", self._large),
            Route("/submissions/{id}/log", self._crash),
            Route("/submissions/{id}/retry", self._refuse, methods=["POST"]),
            Route("/submissions/{id}/parts/2", self._held_body, methods=["PUT"]),
            Route("/submissions/{id}/parts/3", self._early, methods=["PUT"]),
            Route("/{path:path}", self._tell, methods=methods),
        ]
        return Starlette(routes=routes)

    async def _tell(self, request: Request) -> Response:
        digest, size = hashlib.sha256(), 0
        try:
            async for piece in request.stream():
                digest.update(piece)
                size += len(piece)
        except ClientDisconnect:
            self.broken_off += 1
            raise
        told: dict[str, Any] = {
            "service": self.name,
            "method": request.method,
            "path": request.url.path,
            "query": request.url.query,
            "headers": dict(request.headers),
            "size": size,
            "sha256": digest.hexdigest(),
        }
        return JSONResponse(told, headers={"x-secret": "internal", "etag": '"1"'})

    async def _events(self, _: Request) -> Response:
        async def events() -> AsyncIterator[str]:
            self.watching += 1
            try:
                yield "event: board\ndata: 1\n\n"
                await _wait_until(self.hold.is_set)
                yield "event: board\ndata: 2\n\n"
                await _wait_until(lambda: False)
            finally:
                self.watching -= 1

        return StreamingResponse(events(), media_type="text/event-stream")

    async def _large(self, _: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            for _ in range(1024):
                self.produced += len(PIECE)
                yield PIECE

        return StreamingResponse(pieces(), media_type="application/zip", headers={"content-length": str(64 * 1024**2)})

    async def _held_body(self, request: Request) -> Response:
        await _wait_until(self.hold.is_set)
        return await self._tell(request)

    async def _early(self, _: Request) -> Response:
        return JSONResponse({"error": "Conflict", "detail": "It takes no more parts."}, 409)

    async def _crash(self, _: Request) -> Response:
        return PlainTextResponse("Traceback: secrets", 500)

    async def _refuse(self, _: Request) -> Response:
        return JSONResponse({"error": "Conflict", "detail": "It runs already."}, 409)


async def _wait_until(true: Callable[[], bool]) -> None:
    while not true():
        await asyncio.sleep(0.01)
