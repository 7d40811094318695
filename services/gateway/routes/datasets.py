"""Datasets: which there are, a look into them, and new ones."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from fastapi.routing import APIRoute

from dynaboard.schemas import DatasetChange, DatasetView, PerturbationPreview
from services.gateway.onward import ForAnyone, ForReader, ForTaskOwner
from services.gateway.parameters import ERRORS, PUBLIC, DatasetQueryDep, Id, TaskFilter, binary_body, content
from services.gateway.upstreams import EVALUATOR

LINES = content("application/jsonl")
router = APIRouter(tags=["datasets"], responses=ERRORS, route_class=APIRoute)


@router.post(
    "/datasets",
    response_model=DatasetView,
    status_code=201,
    responses={200: {"model": DatasetView, "description": "The newest version has these very examples already."}},
    summary="Add a version of a dataset",
    openapi_extra=binary_body(),
)
async def add_dataset(onward: ForTaskOwner, query: DatasetQueryDep) -> Response:
    """The file is the body. Every model of the task will be evaluated on it, old ones too."""
    return await onward.stream_to(EVALUATOR)


@router.get("/datasets", response_model=list[DatasetView], summary="List datasets", openapi_extra=PUBLIC)
async def list_datasets(
    onward: ForAnyone,
    task: TaskFilter = None,
    all_versions: Annotated[bool, Query(description="Superseded versions too.")] = False,
) -> Response:
    """The newest version of each, never its examples; hidden ones for task owners."""
    return await onward.to(EVALUATOR)


@router.get("/datasets/{dataset_id}", response_model=DatasetView, summary="One dataset", openapi_extra=PUBLIC)
async def get_dataset(onward: ForAnyone, dataset_id: Id) -> Response:
    """One version of a dataset."""
    return await onward.to(EVALUATOR)


@router.patch("/datasets/{dataset_id}", response_model=DatasetView, summary="Change what a dataset counts for")
async def change_dataset(onward: ForTaskOwner, dataset_id: Id, change: DatasetChange) -> Response:
    """Its role, and whether models are run on this version. Boards of the past stay as they were."""
    return await onward.to(EVALUATOR, change)


@router.get("/datasets/{dataset_id}/sample", response_model=list[dict[str, Any]], summary="A few examples")
async def get_sample(
    onward: ForReader, dataset_id: Id, limit: Annotated[int, Query(ge=1, le=20, description="How many.")] = 5
) -> Response:
    """As a model sees them: without labels, unless the dataset neither ranks nor withholds them."""
    return await onward.to(EVALUATOR)


@router.get("/datasets/{dataset_id}/inputs", response_class=Response, summary="A test set's inputs", responses=LINES)
async def get_inputs(onward: ForReader, dataset_id: Id) -> Response:
    """All of a test set that has dates, from the day its inputs are opened: numbered, without labels."""
    return await onward.to(EVALUATOR)


@router.get(
    "/datasets/{dataset_id}/perturbations/{suite}",
    response_model=list[PerturbationPreview],
    summary="A few examples beside their perturbed variants",
)
async def get_perturbations(
    onward: ForReader,
    dataset_id: Id,
    suite: Annotated[Literal["fairness", "robustness"], Path(description="Which perturbations.")],
    limit: Annotated[int, Query(ge=1, le=20, description="How many examples.")] = 5,
) -> Response:
    """The first examples that the suite changes, with every edit marked; never a label."""
    return await onward.to(EVALUATOR)


@router.get("/catalogue", response_model=list[dict[str, Any]], summary="Known datasets", openapi_extra=PUBLIC)
async def get_catalogue(onward: ForAnyone, task: TaskFilter = None) -> Response:
    """Where to get the datasets of the Dynaboard paper, under which licence, and how their files are read."""
    return await onward.to(EVALUATOR)
