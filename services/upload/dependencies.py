"""What routes take from their application."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Query, Request

from dynaboard.database import Database
from dynaboard.schemas import TaskName
from dynaboard.storage import Storage
from services.upload.buffers import Buffers
from services.upload.part_store import PartStore
from services.upload.running_digest import RunningDigests
from services.upload.settings import UploadSettings


@dataclass(frozen=True)
class Context:
    """The parts of the upload service, made once in create_app."""

    settings: UploadSettings
    database: Database
    storage: Storage
    parts: PartStore
    digests: RunningDigests
    buffers: Buffers


def _context(request: Request) -> Context:
    context: Context = request.app.state.upload
    return context


ContextDep = Annotated[Context, Depends(_context)]
TaskFilter = Annotated[TaskName | None, Query()]
