"""The upload service: takes models in, checks them, stores them, and hands them on."""

import urllib3
from fastapi import FastAPI

from dynaboard.app import service_app
from dynaboard.database import Database
from dynaboard.storage import make_storage
from services.upload import completion, models, parts, submissions
from services.upload.buffers import Buffers
from services.upload.dependencies import Context
from services.upload.part_store import PartStore
from services.upload.running_digest import RunningDigests
from services.upload.settings import UploadSettings


def create_app(settings: UploadSettings) -> FastAPI:
    """The service as an ASGI application."""
    database, storage = Database(settings.database_url), make_storage(settings)
    http = urllib3.PoolManager(
        maxsize=2 * settings.parts_in_flight, timeout=urllib3.Timeout(connect=5, read=settings.part_seconds)
    )
    app = service_app("upload", settings, database, closing=(storage.client.close, http.clear))
    app.state.upload = Context(
        settings=settings,
        database=database,
        storage=storage,
        parts=PartStore(storage, http),
        digests=RunningDigests(),
        buffers=Buffers(settings.parts_in_flight, settings.part_bytes),
    )
    for router in (submissions.router, parts.router, completion.router, models.router):
        app.include_router(router)
    return app
