"""Who calls: from the API key of a request to a caller, counted against its rate limit."""

import ipaddress
import math
import time
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool

from dynaboard.errors import TooManyRequests, Unauthorized
from dynaboard.identity import NOBODY, Caller, Role, require
from services.gateway.context import ContextDep
from services.gateway.keys import digest_of, find_caller
from services.gateway.rate_limit import RateLimit

BEARER = HTTPBearer(
    scheme_name="ApiKey",
    bearerFormat="dyb_…",
    description="An API key, as `dynaboard login` asks for.",
    auto_error=False,
)


async def read_caller(
    request: Request,
    context: ContextDep,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)],
) -> Caller:
    """The caller of a public request, NOBODY without a key. Raises Unauthorized for a bad key, and TooManyRequests."""
    digest = digest_of(credentials.credentials) if credentials else ""
    caller = await run_in_threadpool(find_caller, context.database, digest) if digest else NOBODY
    # Strangers' keys count against their address, and all keys of a user together: else each had a limit of its own.
    request.state.rate_key = f"user {caller.name}" if digest and caller else address(request)
    count(request, context.requests)
    if caller is None or (not digest and "authorization" in request.headers):
        raise Unauthorized("This API key is not known here or was revoked; run `dynaboard login` with a valid one.")
    request.state.caller = caller
    return caller


def count(request: Request, limit: RateLimit) -> None:
    """Count a request of its caller against a limit. Raises TooManyRequests."""
    wait = limit.hit(request.state.rate_key, time.monotonic())
    if wait > 0:
        seconds = math.ceil(wait)
        raise TooManyRequests(f"Too many requests in too short a time; wait {seconds} s and go on.", seconds)


def address(request: Request) -> str:
    """Whom an address belongs to: an IPv6 network of 64 bits is one customer's, an IPv4 address stands alone."""
    host = request.client.host if request.client else ""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((ip.packed, 64), strict=False)) if ip.version == 6 else host


def at_least(role: Role) -> Callable[..., Awaitable[Caller]]:
    """A dependency: the caller, whose role must be this one or a higher one."""

    # Not `def`: that would send each request through a thread.
    async def checked(caller: Annotated[Caller, Depends(read_caller)]) -> Caller:
        require(caller, role)
        return caller

    return checked


AnyoneDep = Annotated[Caller, Depends(at_least(Role.ANONYMOUS))]
ReaderDep = Annotated[Caller, Depends(at_least(Role.READER))]
AdminDep = Annotated[Caller, Depends(at_least(Role.ADMIN))]
