"""What every service's FastAPI application has: errors, request ids, health, metrics, and its worker."""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from sqlalchemy.exc import OperationalError
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dynaboard import __version__, logs, migrate
from dynaboard.database import Database
from dynaboard.draining import Draining
from dynaboard.errors import DynaboardError, Unauthorized, Unavailable
from dynaboard.platform_state import PlatformState
from dynaboard.settings import Settings
from dynaboard.telemetry import HTTP_REQUESTS, HTTP_SECONDS
from dynaboard.worker import Worker, working

LOG = logging.getLogger(__name__)
LEAVING = "This process is about to end; another one answers."
# What we take from a client as the id of its request: it goes into headers and logs.
REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NO_TOKEN = "Prometheus must send the telemetry token as `Authorization: Bearer TOKEN`; see docs/monitoring.md."


def service_app(
    name: str,
    settings: Settings,
    database: Database,
    worker: Worker | None = None,
    closing: Sequence[Callable[[], None]] = (),
    telemetry_token: str | None = None,
) -> FastAPI:
    """A FastAPI application with the platform's conventions; routes are added by the service.

    `worker` runs for the application's lifetime; `closing` functions are called at its end. `/metrics` is for everybody
    who reaches the service, or only for those with the token if there is one; with an empty one for nobody.
    Whoever ends the process says so to `app.state.draining`.
    """
    draining = worker.draining if worker else Draining()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if worker:
                await stack.enter_async_context(working(worker, database, settings))
            yield
        for close in closing:
            await asyncio.to_thread(close)
        database.close()

    # No documentation pages: FastAPI's load scripts from elsewhere, and the gateway documents the public API.
    app = FastAPI(title=f"Dynaboard {name}", version=__version__, lifespan=lifespan, openapi_url=None)
    app.state.settings = settings
    app.state.database = database
    app.state.draining = draining
    app.add_exception_handler(DynaboardError, _answer_error)
    app.add_exception_handler(RequestValidationError, _answer_validation)
    app.add_exception_handler(OperationalError, _answer_unavailable)
    app.add_middleware(_Observe, service=name, draining=draining)
    _add_health(app, database, draining)
    _add_metrics(app, settings, telemetry_token)
    return app


def error_body(error: str, detail: str) -> dict[str, str]:
    """The one shape of every error answer."""
    return {"error": error, "detail": detail}


async def _answer_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DynaboardError)
    return JSONResponse(error_body(type(error).__name__, error.detail), error.status)


async def _answer_validation(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part not in {"body", "query", "path", "header"})
    detail = f"{where}: {first['msg']}" if where else str(first["msg"])
    return JSONResponse(error_body("Invalid", detail), 422)


async def _answer_unavailable(_: Request, error: Exception) -> JSONResponse:
    LOG.error("database unreachable: %s", error)
    unavailable = Unavailable()
    return JSONResponse(error_body("Unavailable", unavailable.detail), unavailable.status)


class _Observe:
    """Gives each request an id, and counts and times it. Plain ASGI: bodies stream through untouched."""

    def __init__(self, app: ASGIApp, service: str, draining: Draining) -> None:
        self.app = app
        self.service = service
        self.draining = draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        identifier = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
        logs.request_id.set(identifier)
        started, status, seconds = time.monotonic(), 500, None

        async def answer(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], time.monotonic() - started
                headers = MutableHeaders(scope=message)
                headers.append("x-request-id", identifier)
                if self.draining.leaving.come:
                    # The next request of this client is to go to another process.
                    headers["connection"] = "close"
            await send(message)

        try:
            await self.app(scope, receive, answer)
        finally:
            route = getattr(scope.get("route"), "path", "unmatched")
            method = scope["method"] if scope["method"] in METHODS else "other"
            HTTP_REQUESTS.labels(self.service, method, route, status).inc()
            HTTP_SECONDS.labels(self.service, route).observe(time.monotonic() - started if seconds is None else seconds)


def _add_health(app: FastAPI, database: Database, draining: Draining) -> None:
    @app.get("/healthz", include_in_schema=False)
    def alive() -> dict[str, str]:
        return {"status": "alive"}

    @app.get("/readyz", include_in_schema=False)
    def ready() -> dict[str, str]:
        if draining.leaving.come:
            raise Unavailable(LEAVING)
        if not migrate.are_current(database):
            raise Unavailable(migrate.OLD)
        return {"status": "ready"}


def _add_metrics(app: FastAPI, settings: Settings, token: str | None) -> None:
    state = PlatformState(settings)

    @app.get("/metrics", include_in_schema=False)
    def metrics(request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token is not None and not (token and secrets.compare_digest(given.encode(), token.encode())):
            raise Unauthorized(NO_TOKEN)
        return Response(generate_latest(state), media_type=CONTENT_TYPE_LATEST)
