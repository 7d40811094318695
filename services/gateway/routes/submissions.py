"""Submissions: announced, uploaded in parts, followed, steered; their results and their models' answers."""

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Header, Path, Query, Response
from fastapi.routing import APIRoute

from dynaboard.example_schemas import ExamplesView
from dynaboard.leaderboard_schemas import ScoreView
from dynaboard.schemas import (
    Complete,
    Name,
    PartsView,
    PredictRequest,
    PredictResponse,
    SubmissionCreate,
    SubmissionCreated,
    SubmissionView,
)
from dynaboard.status import Status
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone, ForReader, ForSubmitter
from services.gateway.parameters import (
    ERRORS,
    PUBLIC,
    ExamplesQueryDep,
    Id,
    Limit,
    Offset,
    TaskFilter,
    binary_body,
    content,
)
from services.gateway.upstreams import EVALUATOR, SCORING, TRANSFER, UPLOAD

router = APIRouter(prefix="/submissions", tags=["submissions"], responses=ERRORS, route_class=JsonRoute)
parts = APIRouter(prefix="/submissions", tags=["submissions"], responses=ERRORS, route_class=APIRoute)

ANNOUNCED = {"task": "sentiment", "name": "tfidf-sentiment", "size": 1_048_576, "publish": True}
QUESTION = {"examples": [{"statement": "The film was a delight from the first minute to the last."}]}


@router.post("", response_model=SubmissionCreated, status_code=201, summary="Announce an archive")
async def create_submission(
    onward: ForSubmitter, announced: Annotated[SubmissionCreate, Body(examples=[ANNOUNCED])]
) -> Response:
    """Open a new version of your model of this name (or the first one); send the parts of its archive next."""
    return await onward.to(UPLOAD, announced)


@parts.put(
    "/{submission_id}/parts/{number}",
    status_code=204,
    response_class=Response,
    summary="Send a part of the archive",
    openapi_extra=binary_body(),
)
async def put_part(
    onward: ForSubmitter,
    submission_id: Id,
    number: Annotated[int, Path(ge=1, le=10_000)],
    x_sha256: Annotated[str, Header(pattern="^[0-9a-f]{64}$|^$", description="Of this part; checked if given.")] = "",
    x_crc32: Annotated[str, Header(pattern="^[0-9a-f]{8}$|^$", description="The same, six times cheaper.")] = "",
) -> Response:
    """The bytes of one part, counted from 1, with their Content-Length. A part may be sent again."""
    return await onward.stream_to(UPLOAD)


@router.get("/{submission_id}/parts", response_model=PartsView, summary="Which parts have arrived")
async def get_parts(onward: ForSubmitter, submission_id: Id) -> Response:
    """What to send, or after an interruption what is still missing."""
    return await onward.to(UPLOAD)


@router.post("/{submission_id}/complete", response_model=SubmissionView, summary="End the upload")
async def complete_upload(onward: ForSubmitter, submission_id: Id, claimed: Complete) -> Response:
    """Have the archive checked and its evaluation queued. Asking again gives the same answer."""
    return await onward.to(UPLOAD, claimed, TRANSFER)


@router.get("", response_model=list[SubmissionView], summary="List your submissions")
async def list_submissions(
    onward: ForReader,
    task: TaskFilter = None,
    status: Annotated[Status | None, Query(description="Only those that are there.")] = None,
    everybody: Annotated[
        bool, Query(description="Everybody's you may see; for task owners and administrators.")
    ] = False,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Response:
    """Newest first. Task owners see everybody's of published models, administrators all; reasons stay their owners'."""
    return await onward.to(UPLOAD)


@router.get("/{submission_id}", response_model=SubmissionView, summary="One submission", openapi_extra=PUBLIC)
async def get_submission(onward: ForAnyone, submission_id: Id) -> Response:
    """Its status, the reason for it, and its place in the queue; your own, or one of a published model."""
    return await onward.to(UPLOAD)


@router.get(
    "/{submission_id}/archive",
    response_class=Response,
    summary="Fetch the archive",
    responses=content("application/zip"),
)
async def get_archive(onward: ForReader, submission_id: Id) -> Response:
    """The archive as it was handed in; for its owner."""
    return await onward.to(UPLOAD)


@router.get("/{submission_id}/evaluations", response_model=SubmissionView, summary="Progress", openapi_extra=PUBLIC)
async def get_evaluations(onward: ForAnyone, submission_id: Id) -> Response:
    """The submission with each dataset's progress and the estimated time left."""
    return await onward.to(EVALUATOR)


@router.post("/{submission_id}/cancel", response_model=SubmissionView, summary="Stop a submission")
async def cancel_submission(onward: ForSubmitter, submission_id: Id) -> Response:
    """Stop it, wherever it is; for its owner. Conflict when it has ended or is being scored."""
    return await onward.to(EVALUATOR)


@router.post("/{submission_id}/retry", response_model=SubmissionView, summary="Start a submission again")
async def retry_submission(onward: ForSubmitter, submission_id: Id) -> Response:
    """Queue a failed or cancelled submission again; for its owner. Finished datasets are not run again."""
    return await onward.to(EVALUATOR)


@router.get(
    "/{submission_id}/log", response_class=Response, summary="What the model printed", responses=content("text/plain")
)
async def get_log(onward: ForReader, submission_id: Id) -> Response:
    """Of its last run, tracebacks included; for its owner."""
    return await onward.to(EVALUATOR)


@router.get(
    "/{submission_id}/predictions/{dataset}",
    response_class=Response,
    summary="Fetch the predictions",
    responses=content("application/x-ndjson"),
)
async def get_predictions(
    onward: ForReader,
    submission_id: Id,
    dataset: Name,
    format: Annotated[Literal["parquet", "jsonl"], Query(description="How they are written.")] = "jsonl",
    version: Annotated[int | None, Query(ge=1, le=2**31 - 1, description="Of the dataset; left out: newest.")] = None,
    suite: Annotated[
        Literal["", "fairness", "robustness"], Query(description="Of its perturbed copy, where labels are open.")
    ] = "",
) -> Response:
    """The model's answers on a dataset, one for each example; for its owner and task owners."""
    return await onward.to(EVALUATOR)


@router.get("/{submission_id}/examples", response_model=ExamplesView, summary="Answers example by example")
async def get_examples(onward: ForReader, submission_id: Id, query: ExamplesQueryDep) -> Response:
    """Filtered by what is right or wrong, by tag, or by where another submission answers otherwise.

    Of sets whose labels are closed the answers alone are shown, and neither right nor wrong can be asked for.
    """
    return await onward.analyse(SCORING)


@router.get("/{submission_id}/scores", response_model=list[ScoreView], summary="Scores", openapi_extra=PUBLIC)
async def get_scores(onward: ForAnyone, submission_id: Id) -> Response:
    """Every metric on every dataset and tag, and the costs, each with its interval and where it comes from."""
    return await onward.to(SCORING)


@router.post(
    "/{submission_id}/predict", response_model=PredictResponse, summary="Talk to the model", openapi_extra=PUBLIC
)
async def predict(
    onward: ForAnyone, submission_id: Id, question: Annotated[PredictRequest, Body(examples=[QUESTION])]
) -> Response:
    """Ask a published model, or your own. The first question may take two minutes: the model is started for it."""
    return await onward.ask(EVALUATOR, question)
