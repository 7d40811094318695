"""The page: what `make web` built of services/gateway/web. Every address of the page is one document."""

from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import FileResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from services.gateway import page

BUILT = Path(__file__).parent / "web" / "dist"
# The first words of the page's addresses; what stands behind them the page knows itself (web/src/app/App.tsx).
PLACES = ("boards", "snapshots", "forks", "models", "talk", "submit", "submissions", "datasets", "tasks", "account")


def add_page(app: FastAPI, built: Path = BUILT) -> None:
    """Serve the page where it was built; elsewhere the leaderboards without script stand in its place."""
    router = APIRouter(include_in_schema=False)
    document = built / "index.html"
    if not document.is_file():
        router.add_api_route("/", page.leaderboards)
        app.include_router(router)
        return

    def the_page() -> FileResponse:
        # Asked for again each time, so that a new version of the platform is seen at once.
        return FileResponse(document, headers={"cache-control": "no-cache"})

    router.add_api_route("/", the_page)
    for place in PLACES:
        router.add_api_route(f"/{place}", the_page)
        router.add_api_route(f"/{place}/{{rest:path}}", the_page)
    app.include_router(router)
    app.mount("/assets", ForEver(GZipMiddleware(StaticFiles(directory=built / "assets"), minimum_size=1024)))


class ForEver:
    """Files whose names hold a digest of their content never change, so browsers need not ask again."""

    def __init__(self, files: GZipMiddleware) -> None:
        self._files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a file; a success is kept for a year."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 200:
                message["headers"] = [*message["headers"], (b"cache-control", b"public, max-age=31536000, immutable")]
            await send(message)

        await self._files(scope, receive, answer)
