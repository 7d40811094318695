"""The gateway: the only public door. It knows who calls and who may; the services behind it do the rest."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI

from dynaboard import migrate
from dynaboard.app import service_app
from dynaboard.database import Database
from services.gateway import page
from services.gateway.answers import answer_errors
from services.gateway.audit import Audit
from services.gateway.context import Context
from services.gateway.documents import add_documents
from services.gateway.keys import ensure_admin
from services.gateway.rate_limit import RateLimit
from services.gateway.routes import (
    backfill,
    bundles,
    comparisons,
    datasets,
    hardware,
    leaderboards,
    models,
    perturbations,
    snapshots,
    submissions,
    tasks,
    users,
)
from services.gateway.secure_headers import SecureHeaders
from services.gateway.settings import GatewaySettings
from services.gateway.upstreams import PREFIX, Upstreams
from services.gateway.watching import Watching
from services.gateway.web_page import add_page

# A gateway that is started before the database is migrated answers /readyz, and makes the administrator then.
FIRST_S, LOOK_AGAIN_S = 2.0, 1.0
NOUNS = (
    *(
        tasks.router,
        leaderboards.router,
        comparisons.router,
        snapshots.router,
        bundles.router,
        models.router,
        submissions.router,
        submissions.parts,
    ),
    *(datasets.router, hardware.router, backfill.router, perturbations.router, users.router),
)


async def _make_admin(database: Database, key: str) -> None:
    """Make the user `admin` as soon as there are tables, if there is a key for it."""
    while key and not await asyncio.to_thread(migrate.are_current, database):
        await asyncio.sleep(LOOK_AGAIN_S)
    if key:
        await asyncio.to_thread(ensure_admin, database, key)


def create_app(settings: GatewaySettings) -> FastAPI:
    """The gateway as an ASGI application. At its start the user `admin` is made, if the settings hold a key for it."""
    database, upstreams = Database(settings.database_url), Upstreams(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        making = asyncio.create_task(_make_admin(database, settings.admin_key))
        await asyncio.wait([making], timeout=FIRST_S)
        if making.done():
            making.result()
        yield
        making.cancel()
        await upstreams.close()

    app = service_app("gateway", settings, database, telemetry_token=settings.telemetry_token)
    # One address for each thing; a redirect would also lose the https of a proxy in front of us.
    app.router.redirect_slashes = False
    app.state.gateway = Context(
        database=database,
        upstreams=upstreams,
        requests=RateLimit(settings.requests_per_minute),
        predictions=RateLimit(settings.predictions_per_minute),
        analyses=RateLimit(settings.analyses_per_minute),
        watching=Watching(settings.streams_per_caller, settings.streams),
    )
    api = APIRouter(prefix=PREFIX, lifespan=lifespan, generate_unique_id_function=lambda route: route.name)
    for router in NOUNS:
        api.include_router(router)
    app.include_router(api)
    app.include_router(page.router)
    add_page(app)
    answer_errors(app)
    add_documents(app)
    app.add_middleware(Audit, database=database)
    app.add_middleware(SecureHeaders)
    return app
