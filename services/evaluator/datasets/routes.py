"""The HTTP routes of datasets, for the evaluator's application to include."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse

from dynaboard.database import Database
from dynaboard.errors import Forbidden, Invalid
from dynaboard.identity import CallerDep, Role, require
from dynaboard.jobs import PLAN_BACKFILL, defer
from dynaboard.phases import UNLABELLED, has_schedule, labels_are_open, phase_of
from dynaboard.schemas import DatasetChange, DatasetView, PerturbationPreview, TaskName
from dynaboard.storage import Storage
from dynaboard.tables import Dataset
from dynaboard.task_registry import find_task
from services.evaluator.datasets.adding import Adding, add_uploads
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.catalogue import CatalogueEntry, catalogue
from services.evaluator.datasets.changes import change_dataset
from services.evaluator.datasets.registry import find_dataset, list_datasets, readable
from services.evaluator.datasets.shown import dataset_view
from services.evaluator.datasets.stored import first_examples, input_lines
from services.evaluator.perturbations.edits import Suite
from services.evaluator.perturbed.preview import MOST_EXAMPLES, preview
from services.evaluator.perturbed.recipe import recipe_of
from services.evaluator.settings import EvaluatorSettings

DatasetId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]
MAX_SAMPLE = 20


def make_router(database: Database, storage: Storage, settings: EvaluatorSettings) -> APIRouter:
    """POST and GET /datasets, one dataset, its sample, and GET /catalogue."""
    router = APIRouter(tags=["datasets"])

    add_uploads(router, Adding(database, storage, settings))

    @router.get("/datasets")
    def datasets(caller: CallerDep, task: TaskName | None = None, all_versions: bool = False) -> list[DatasetView]:
        with database.begin() as db:
            return [dataset_view(dataset, caller) for dataset in list_datasets(db, caller, task, all_versions)]

    @router.get("/datasets/{dataset_id}")
    def dataset(dataset_id: DatasetId, caller: CallerDep) -> DatasetView:
        with database.begin() as db:
            return dataset_view(find_dataset(db, caller, dataset_id), caller)

    @router.patch("/datasets/{dataset_id}")
    def change(dataset_id: DatasetId, wanted: DatasetChange, caller: CallerDep) -> DatasetView:
        with database.begin() as db:
            changed = change_dataset(db, caller, dataset_id, wanted)
            defer(db, PLAN_BACKFILL)
            return dataset_view(changed, caller)

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


def _shown(dataset: Dataset, example: Example) -> dict[str, Any]:
    """Without the id, which in SNLI ends in the label's letter; tags too may tell the label."""
    hidden = {"id"} if labels_are_open(dataset) else {"id", "label", "answers", "token_labels", "tags"}
    return {field: value for field, value in example.items() if field not in hidden}
