"""Frozen leaderboards, how to cite them, and weights that have a name."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Response

from dynaboard.board_schemas import Citation, ForkCreate, ForkView, SnapshotView
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.schemas import TaskName
from services.gateway.json_limit import JsonRoute
from services.gateway.onward import ForAnyone, ForReader
from services.gateway.parameters import ERRORS, PUBLIC, BoardQueryDep
from services.gateway.upstreams import SCORING

router = APIRouter(tags=["snapshots"], responses=ERRORS, route_class=JsonRoute)
AddressPath = Annotated[str, Path(pattern="^[a-z2-7]{10,16}$", examples=["k3jx7q2mza"])]


@router.post(
    "/leaderboards/{task}/snapshots", status_code=201, response_model=SnapshotView, summary="Freeze a leaderboard"
)
async def freeze(onward: ForReader, task: TaskName, query: BoardQueryDep) -> Response:
    """Keep the board that the query describes, all models of it, under a short address that never changes.

    The public board is frozen as everybody sees it. With `unpublished` the snapshot is yours alone.
    """
    return await onward.to(SCORING)


@router.get(
    "/snapshots/{snapshot_id}", response_model=LeaderboardView, summary="A frozen leaderboard", openapi_extra=PUBLIC
)
async def get_snapshot(onward: ForAnyone, snapshot_id: AddressPath) -> Response:
    """The same bytes whenever they are asked for; `content-digest` has their sha256."""
    return await onward.to(SCORING)


@router.get(
    "/snapshots/{snapshot_id}/citation",
    response_model=Citation,
    summary="How to cite a frozen leaderboard",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    openapi_extra=PUBLIC,
)
async def get_citation(
    onward: ForAnyone, snapshot_id: AddressPath, format: Literal["text", "bibtex", "json"] = "json"
) -> Response:
    """What to report with the board: datasets with versions, weights, timestamp, address and digest."""
    return await onward.to(SCORING)


@router.get(
    "/snapshots/{snapshot_id}/leaderboard",
    response_model=LeaderboardView,
    summary="A frozen leaderboard under other weights",
    openapi_extra=PUBLIC,
)
async def get_reweighted(onward: ForAnyone, snapshot_id: AddressPath, query: BoardQueryDep) -> Response:
    """The frozen models and results, ranked anew by `weight.METRIC` and `dataset_weight.DATASET`.

    Only the weights of the query count, and uncertainty is not part of the answer.
    """
    return await onward.analyse(SCORING)


@router.post("/leaderboards/{task}/forks", status_code=201, response_model=ForkView, summary="Name your weights")
async def fork(onward: ForReader, task: TaskName, wanted: ForkCreate) -> Response:
    """Weights with a name and a description, over the live board or over a snapshot. Everybody may read them."""
    return await onward.to(SCORING, wanted)


@router.get(
    "/leaderboards/{task}/forks",
    response_model=list[ForkView],
    summary="List the forks of a leaderboard",
    openapi_extra=PUBLIC,
)
async def list_forks(onward: ForAnyone, task: TaskName) -> Response:
    """Newest first."""
    return await onward.to(SCORING)


@router.get("/forks/{fork_id}", response_model=ForkView, summary="A fork of a leaderboard", openapi_extra=PUBLIC)
async def get_fork(onward: ForAnyone, fork_id: AddressPath) -> Response:
    """Its weights, its description, and where its board is."""
    return await onward.to(SCORING)
