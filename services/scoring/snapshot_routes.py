"""Snapshots, citations and forks over HTTP."""

from base64 import b64encode
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import PlainTextResponse
from sqlalchemy import select

from dynaboard.board_schemas import Citation, ForkCreate, ForkView, SnapshotView
from dynaboard.database import Database
from dynaboard.identity import CallerDep
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Dataset
from dynaboard.task_registry import find_task
from services.scoring import forks, snapshots
from services.scoring.asked_task import TaskDep
from services.scoring.board_routes import QueryDep
from services.scoring.citation import as_bibtex, as_text, citation
from services.scoring.frozen_board import frozen_method, reweighted

routes = APIRouter()
AddressPath = Annotated[str, Path(pattern="^[a-z2-7]{10,16}$")]
YEAR_S = 365 * 24 * 3600


@routes.post("/leaderboards/{task}/snapshots", status_code=201)
def freeze(task: TaskDep, query: QueryDep, request: Request, caller: CallerDep) -> SnapshotView:
    """Freeze the board that the query describes, with all its models; `limit` and `offset` mean nothing here."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return snapshots.freeze(db, task, query, caller, request.app.state.resampled)


@routes.get("/snapshots/{snapshot_id}", response_model=LeaderboardView)
def get_snapshot(snapshot_id: AddressPath, request: Request, caller: CallerDep) -> Response:
    """The frozen board: the same bytes whenever they are asked for."""
    database: Database = request.app.state.database
    with database.begin() as db:
        found = snapshots.find(db, snapshot_id, caller)
    sha256 = b64encode(bytes.fromhex(found.digest)).decode()
    headers = {
        "etag": f'"{found.digest}"',
        "cache-control": f"{'public' if found.public else 'private'}, max-age={YEAR_S}, immutable",
        "content-digest": f"sha-256=:{sha256}:",
        "last-modified": f"{found.created_at:%a, %d %b %Y %H:%M:%S GMT}",
    }
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type="application/json", headers=headers)


@routes.get("/snapshots/{snapshot_id}/citation", response_model=Citation)
def get_citation(
    snapshot_id: AddressPath, request: Request, caller: CallerDep, format: Literal["text", "bibtex", "json"] = "json"
) -> Citation | Response:
    """What to report with the board: datasets with versions, weights, timestamp, address and digest."""
    database: Database = request.app.state.database
    with database.begin() as db:
        found = snapshots.find(db, snapshot_id, caller)
        board = orjson.loads(found.body)
        digests = [dataset["digest"] for dataset in board["datasets"]]
        title = find_task(db, found.task).title
        sources = db.scalars(select(Dataset).where(Dataset.task == found.task, Dataset.digest.in_(digests))).all()
    card = citation(snapshots.snapshot_view(found), title, board, sources)
    if format == "json":
        return card
    return PlainTextResponse(as_text(card) if format == "text" else as_bibtex(card))


@routes.post("/leaderboards/{task}/forks", status_code=201)
def fork(task: TaskDep, wanted: ForkCreate, request: Request, caller: CallerDep) -> ForkView:
    """Give weights a name and a description, over the live board or over a snapshot."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return forks.make(db, task, wanted, caller)


@routes.get("/leaderboards/{task}/forks")
def list_forks(task: TaskDep, request: Request, caller: CallerDep) -> list[ForkView]:
    """The forks of a leaderboard, newest first."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return forks.of_task(db, task)


@routes.get("/forks/{fork_id}")
def get_fork(fork_id: AddressPath, request: Request, caller: CallerDep) -> ForkView:
    """One fork."""
    database: Database = request.app.state.database
    with database.begin() as db:
        return forks.find(db, fork_id)


@routes.get("/snapshots/{snapshot_id}/leaderboard")
def get_reweighted(snapshot_id: AddressPath, query: QueryDep, request: Request, caller: CallerDep) -> LeaderboardView:
    """The frozen models and results under the weights of the query; its other parameters mean nothing here."""
    database: Database = request.app.state.database
    with database.begin() as db:
        found = snapshots.find(db, snapshot_id, caller)
    frozen = LeaderboardView.model_validate_json(found.body)
    return reweighted(frozen, query.method(frozen_method(frozen)))
