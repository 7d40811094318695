"""A dataset added over HTTP: read, checked, held beside the others of its task, and old models are to be run on it."""

from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Annotated, BinaryIO

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from dynaboard.database import Database
from dynaboard.errors import Invalid, TooLarge
from dynaboard.identity import CallerDep, Role, require
from dynaboard.jobs import PLAN_BACKFILL, defer
from dynaboard.schemas import DatasetView
from dynaboard.storage import Storage
from dynaboard.tables import Dataset
from dynaboard.task_registry import find_task
from services.evaluator.backfill.switch import hold
from services.evaluator.backfill.view import sentence_of
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.registration import DatasetUpload, Registration, read_registration
from services.evaluator.datasets.registry import register
from services.evaluator.datasets.repeats import others_of, repeats
from services.evaluator.datasets.shown import dataset_view
from services.evaluator.datasets.stored import store
from services.evaluator.settings import EvaluatorSettings

BINARY = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


@dataclass(frozen=True)
class Adding:
    """What it takes to add a dataset."""

    database: Database
    storage: Storage
    settings: EvaluatorSettings

    def read(self, upload: DatasetUpload) -> Registration:
        """The uploader's words, completed. Raises Invalid, NotFound."""
        with self.database.begin() as db:
            return read_registration(db, upload)

    def add(self, registration: Registration, file: BinaryIO, owner: str) -> tuple[Dataset, bool]:
        """Store the examples and register them; tells whether they are a new version. Raises Invalid, TooLarge."""
        task, limits = registration.task, self.settings
        examples = import_examples(registration.format, file, registration.columns, limits.max_dataset_bytes)
        contents = store(self.storage, task, examples, limits.max_dataset_examples)
        with self.database.begin() as db:
            others = others_of(db, task, registration.name)
        found = repeats(self.storage, task, contents.digest, others)
        with self.database.begin() as db:
            dataset, is_new = register(db, registration, contents, owner)
            dataset.repeats = found
            if is_new and registration.hold:
                hold(db, dataset.task, dataset.id, owner)
            defer(db, PLAN_BACKFILL)
        return dataset, is_new

    def backfill(self, dataset: Dataset) -> str | None:
        """What running the models there are on it takes, in a sentence."""
        with self.database.begin() as db:
            return sentence_of(db, self.settings, find_task(db, dataset.task), dataset.id)


def add_uploads(router: APIRouter, adding: Adding) -> None:
    """POST /datasets."""

    @router.post("/datasets", status_code=201, openapi_extra={"requestBody": {"required": True, "content": BINARY}})
    async def add_dataset(
        request: Request, response: Response, upload: Annotated[DatasetUpload, Query()], caller: CallerDep
    ) -> DatasetView:
        """Add a version of a dataset; 201 for a new one, 200 when the newest version has these very examples."""
        require(caller, Role.TASK_OWNER)
        registration = await run_in_threadpool(adding.read, upload)
        with TemporaryFile() as file:
            await _receive(request, file, adding.settings.max_dataset_bytes)
            dataset, is_new = await run_in_threadpool(adding.add, registration, file, caller.name)
        response.status_code = 201 if is_new else 200
        view = dataset_view(dataset, caller)
        if not is_new:
            return view
        return view.model_copy(update={"backfill": await run_in_threadpool(adding.backfill, dataset)})


async def _receive(request: Request, file: BinaryIO, limit: int) -> None:
    """Write the body to a file, left at its start. Raises TooLarge as soon as the body passes `limit` bytes."""
    received = 0
    try:
        async for chunk in request.stream():
            received += len(chunk)
            if received > limit:
                raise TooLarge(f"The file has more than {limit} bytes, which is all this installation allows.")
            await run_in_threadpool(file.write, chunk)
    except ClientDisconnect:
        raise Invalid("The upload ended before the whole file had arrived; send it again.") from None
    await run_in_threadpool(file.seek, 0)
