"""What routes take from their application."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from dynaboard.database import Database
from services.gateway.rate_limit import RateLimit
from services.gateway.upstreams import Upstreams
from services.gateway.watching import Watching


@dataclass(frozen=True)
class Context:
    """The parts of the gateway, made once in create_app."""

    database: Database
    upstreams: Upstreams
    requests: RateLimit
    predictions: RateLimit
    analyses: RateLimit
    watching: Watching


async def _context(request: Request) -> Context:
    context: Context = request.app.state.gateway
    return context


ContextDep = Annotated[Context, Depends(_context)]
