"""A request that goes on to another service, once its caller's role allows it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import httpx
from fastapi import Depends, Request, Response
from pydantic import BaseModel

from dynaboard.identity import Caller, Role
from services.gateway.callers import at_least, count
from services.gateway.context import Context, ContextDep
from services.gateway.upstreams import PREDICT, QUICK, TRANSFER


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
        return await self.context.upstreams.pass_on(self.request, self.caller, service, body, TRANSFER)

    async def ask(self, service: str, question: BaseModel) -> Response:
        """A model's answer, counted against the limit of questions to models. Raises TooManyRequests."""
        count(self.request, self.context.predictions)
        return await self.to(service, question, PREDICT)


def _onward(role: Role) -> Callable[..., Onward]:
    def checked(request: Request, context: ContextDep, caller: Annotated[Caller, Depends(at_least(role))]) -> Onward:
        return Onward(request, caller, context)

    return checked


ForAnyone = Annotated[Onward, Depends(_onward(Role.ANONYMOUS))]
ForReader = Annotated[Onward, Depends(_onward(Role.READER))]
ForSubmitter = Annotated[Onward, Depends(_onward(Role.SUBMITTER))]
ForTaskOwner = Annotated[Onward, Depends(_onward(Role.TASK_OWNER))]
