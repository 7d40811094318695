"""Routes that take JSON, and little of it: FastAPI reads a body whole before anybody is asked who calls."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute
from starlette.types import Message

from dynaboard.errors import TooLarge

MOST_BYTES = 2 * 1024**2


class JsonRoute(APIRoute):
    """A route whose body may have MOST_BYTES. (FastAPI's own `max_body_size` does not answer in our error's shape.)"""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, behind a count of the bytes that arrive. (It lets no other exception out of a body.)"""
        handle = super().get_route_handler()

        async def limited(request: Request) -> Response:
            received = 0

            async def receive() -> Message:
                nonlocal received
                message = await request.receive()
                received += len(message.get("body", b""))
                if received > MOST_BYTES:
                    raise HTTPException(TooLarge.status)
                return message

            if int(request.headers.get("content-length", 0)) > MOST_BYTES:
                raise HTTPException(TooLarge.status)
            return await handle(Request(request.scope, receive))

        return limited
