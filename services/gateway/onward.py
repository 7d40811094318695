"""A request that goes on to another service, once its caller's role allows it."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any

import httpx
from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.background import BackgroundTask

from dynaboard.draining import Moment
from dynaboard.identity import Caller, Role
from services.gateway.callers import at_least, count
from services.gateway.context import Context, ContextDep
from services.gateway.upstreams import EVENTS, PREDICT, QUICK, TRANSFER
from services.gateway.watching import Place, Watching


@dataclass(frozen=True)
class Onward:
    """One request with its caller. Whose thing it asks for, the service that owns the thing decides."""

    request: Request
    caller: Caller
    context: Context

    async def to(self, service: str, body: BaseModel | None = None, timeout: httpx.Timeout = QUICK) -> Response:
        """The service's answer to the request with this body, or none."""
        sent = body.model_dump_json(exclude_unset=True).encode() if body else None
        return await self.context.upstreams.pass_on(self.request, self.caller, service, sent, timeout)

    async def stream_to(self, service: str) -> Response:
        """The service's answer to the request, whose body is passed on as it comes."""
        body = self.request.stream()
        return await self.context.upstreams.stream_on(self.request, self.caller, service, body, TRANSFER)

    async def watch(self, service: str) -> Response:
        """A stream as long as this process lives and the caller has a place for it.

        Raises TooManyRequests, Unavailable.
        """
        answer = await self._held(service, self.context.watching, EVENTS)
        answer.body_iterator = _until(self.request.app.state.draining.closing, answer.body_iterator)
        return answer

    async def bundle(self, service: str) -> Response:
        """A file that is made for this caller, who has a place for it until it was read. Raises as `watch`."""
        count(self.request, self.context.analyses)
        return await self._held(service, self.context.bundles, TRANSFER)

    async def _held(self, service: str, places: Watching, timeout: httpx.Timeout) -> StreamingResponse:
        place = places.enter(self.request.state.rate_key)
        try:
            answer = await self.context.upstreams.stream_on(self.request, self.caller, service, timeout=timeout)
        except BaseException:
            place.leave()
            raise
        answer.body_iterator = _left(answer.body_iterator, place)
        ending = answer.background

        async def end() -> None:
            place.leave()  # a stream that never began has left nothing
            if ending is not None:
                await ending()

        answer.background = BackgroundTask(end)
        return answer

    async def analyse(self, service: str) -> Response:
        """An answer that takes long to compute, counted against the limit of such. Raises TooManyRequests."""
        count(self.request, self.context.analyses)
        return await self.to(service)

    async def ask(self, service: str, question: BaseModel) -> Response:
        """A model's answer, counted against the limit of questions to models. Raises TooManyRequests."""
        count(self.request, self.context.predictions)
        return await self.to(service, question, PREDICT)


async def _left(pieces: AsyncIterable[Any], place: Place) -> AsyncIterator[Any]:
    try:
        async for piece in pieces:
            yield piece
    finally:
        place.leave()


async def _until(end: Moment, pieces: AsyncIterable[Any]) -> AsyncIterator[Any]:
    """The pieces until the moment comes, or their service is lost: whoever watches then asks again, and is answered."""
    iterator = aiter(pieces)
    ending = asyncio.create_task(end.wait())
    piece = asyncio.ensure_future(anext(iterator))
    try:
        while await asyncio.wait({piece, ending}, return_when=asyncio.FIRST_COMPLETED):
            if not piece.done():
                return
            yield piece.result()
            piece = asyncio.ensure_future(anext(iterator))
    except (StopAsyncIteration, httpx.TransportError):
        return
    finally:
        piece.cancel()  # not waited for: whoever is cancelled here would cancel it again, while it hangs up
        ending.cancel()


def _onward(role: Role) -> Callable[..., Awaitable[Onward]]:
    # Not `def`: that would send each request through a thread.
    async def checked(
        request: Request, context: ContextDep, caller: Annotated[Caller, Depends(at_least(role))]
    ) -> Onward:
        return Onward(request, caller, context)

    return checked


ForAnyone = Annotated[Onward, Depends(_onward(Role.ANONYMOUS))]
ForReader = Annotated[Onward, Depends(_onward(Role.READER))]
ForSubmitter = Annotated[Onward, Depends(_onward(Role.SUBMITTER))]
ForTaskOwner = Annotated[Onward, Depends(_onward(Role.TASK_OWNER))]
