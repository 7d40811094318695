"""The HTTP routes of datasets, for the evaluator's application to include."""

from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from dynaboard.database import Database
from dynaboard.errors import Forbidden, Invalid, TooLarge
from dynaboard.identity import Caller, CallerDep, Role, require
from dynaboard.phases import UNLABELLED, has_schedule, labels_are_open, phase_of
from dynaboard.schemas import DatasetChange, DatasetView, PerturbationPreview, TaskName
from dynaboard.storage import Storage
from dynaboard.tables import Dataset
from dynaboard.task_registry import find_task
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.catalogue import CatalogueEntry, catalogue
from services.evaluator.datasets.changes import change_dataset
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.registration import DatasetUpload, Registration, read_registration
from services.evaluator.datasets.registry import find_dataset, list_datasets, readable, register
from services.evaluator.datasets.stored import first_examples, input_lines, store
from services.evaluator.perturbations.edits import Suite
from services.evaluator.perturbed.preview import MOST_EXAMPLES, preview
from services.evaluator.perturbed.recipe import recipe_of
from services.evaluator.settings import EvaluatorSettings

DatasetId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
BINARY = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
MAX_SAMPLE = 20


def make_router(database: Database, storage: Storage, settings: EvaluatorSettings) -> APIRouter:
    """POST and GET /datasets, one dataset, its sample, and GET /catalogue."""
    router = APIRouter(tags=["datasets"])

    @router.post("/datasets", status_code=201, openapi_extra={"requestBody": {"required": True, "content": BINARY}})
    async def add_dataset(
        request: Request, response: Response, upload: Annotated[DatasetUpload, Query()], caller: CallerDep
    ) -> DatasetView:
        """Add a version of a dataset; 201 for a new one, 200 when the newest version has these very examples."""
        require(caller, Role.TASK_OWNER)
        registration = await run_in_threadpool(_read, upload)
        with TemporaryFile() as file:
            await _receive(request, file, settings.max_dataset_bytes)
            dataset, is_new = await run_in_threadpool(_add, registration, file, caller.name)
        response.status_code = 201 if is_new else 200
        return _view(dataset, caller)

    def _read(upload: DatasetUpload) -> Registration:
        with database.begin() as db:
            return read_registration(db, upload)

    def _add(registration: Registration, file: BinaryIO, owner: str) -> tuple[Dataset, bool]:
        examples = import_examples(registration.format, file, registration.columns, settings.max_dataset_bytes)
        contents = store(storage, registration.task, examples, settings.max_dataset_examples)
        with database.begin() as db:
            return register(db, registration, contents, owner)

    @router.get("/datasets")
    def datasets(caller: CallerDep, task: TaskName | None = None, all_versions: bool = False) -> list[DatasetView]:
        with database.begin() as db:
            return [_view(dataset, caller) for dataset in list_datasets(db, caller, task, all_versions)]

    @router.get("/datasets/{dataset_id}")
    def dataset(dataset_id: DatasetId, caller: CallerDep) -> DatasetView:
        with database.begin() as db:
            return _view(find_dataset(db, caller, dataset_id), caller)

    @router.patch("/datasets/{dataset_id}")
    def change(dataset_id: DatasetId, wanted: DatasetChange, caller: CallerDep) -> DatasetView:
        with database.begin() as db:
            return _view(change_dataset(db, caller, dataset_id, wanted), caller)

    @router.get("/datasets/{dataset_id}/sample")
    def sample(
        dataset_id: DatasetId, caller: CallerDep, limit: Annotated[int, Query(ge=1, le=MAX_SAMPLE)] = 5
    ) -> list[dict[str, Any]]:
        with database.begin() as db:
            found = readable(db, caller, dataset_id)
        return [_shown(found, example) for example in first_examples(storage, found.digest, limit)]

    @router.get("/datasets/{dataset_id}/inputs", response_class=StreamingResponse)
    def inputs(dataset_id: DatasetId, caller: CallerDep) -> StreamingResponse:
        """All inputs of a test set without labels, numbered; predictions for it name these numbers."""
        require(caller, Role.READER)
        with database.begin() as db:
            found = readable(db, caller, dataset_id)
            task = find_task(db, found.task)
        if not has_schedule(found):
            raise Invalid(f"Only test sets with dates are handed out here; {found.name} has none.")
        name = f'attachment; filename="{found.name}-{found.version}.jsonl"'
        lines = input_lines(storage, task, found.digest)
        return StreamingResponse(lines, media_type="application/jsonl", headers={"content-disposition": name})

    @router.get("/datasets/{dataset_id}/perturbations/{suite}")
    def perturbations(
        dataset_id: DatasetId,
        suite: Suite,
        caller: CallerDep,
        limit: Annotated[int, Query(ge=1, le=MAX_SAMPLE)] = 5,
    ) -> list[PerturbationPreview]:
        """Examples with their variants; of a hidden dataset only among those that its sample shows."""
        with database.begin() as db:
            found = readable(db, caller, dataset_id)
            task = find_task(db, found.task)
        if phase_of(found) == UNLABELLED and not caller.at_least(Role.TASK_OWNER):
            # Of a question they leave the answers alone, and so would tell them.
            raise Forbidden(f"{found.name} is shown perturbed once its labels are released.")
        among = MAX_SAMPLE if found.role == "hidden" else MOST_EXAMPLES
        examples = first_examples(storage, found.digest, among)
        return preview(task, recipe_of(settings, suite, task), examples, limit)

    @router.get("/catalogue")
    def entries(_: CallerDep, task: TaskName | None = None) -> list[CatalogueEntry]:
        return [entry for entry in catalogue().values() if task in (None, entry.task)]

    return router


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


def _view(dataset: Dataset, caller: Caller) -> DatasetView:
    """How often each label and tag occurs tells of labels too, and so do the bytes of all lines."""
    view = DatasetView.model_validate(dataset, from_attributes=True)
    closed = has_schedule(dataset) and not labels_are_open(dataset) and not caller.at_least(Role.TASK_OWNER)
    withheld = {"labels": {}, "tags": {}, "size": 0} if closed else {}
    return view.model_copy(update={"phase": phase_of(dataset), **withheld})


def _shown(dataset: Dataset, example: Example) -> dict[str, Any]:
    """Without the id, which in SNLI ends in the label's letter; tags too may tell the label."""
    hidden = {"id"} if labels_are_open(dataset) else {"id", "label", "answers", "token_labels", "tags"}
    return {field: value for field, value in example.items() if field not in hidden}
