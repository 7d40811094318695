"""What routes take from their application."""

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from dynaboard.database import Database
from services.gateway.rate_limit import RateLimit
from services.gateway.upstreams import Upstreams
from services.gateway.watching import BUNDLES, Watching

# Each lies twice on the scoring service's disk until its client has read it.
BUNDLES_PER_CALLER, BUNDLES_IN_ALL = 2, 10


@dataclass(frozen=True)
class Context:
    """The parts of the gateway, made once in create_app."""

    database: Database
    upstreams: Upstreams
    requests: RateLimit
    predictions: RateLimit
    analyses: RateLimit
    watching: Watching
    bundles: Watching = field(default_factory=lambda: Watching(BUNDLES_PER_CALLER, BUNDLES_IN_ALL, BUNDLES))


async def _context(request: Request) -> Context:
    context: Context = request.app.state.gateway
    return context


ContextDep = Annotated[Context, Depends(_context)]
