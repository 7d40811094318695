"""Snapshots, forks and differences of the gateway at the edge."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from dynaboard.board_schemas import ForkCreate
from tests.client import fake_views as views

SNAPSHOT, FORK = "k3jx7q2mza", "q2mzak3jx7"
BUNDLE = bytes(range(256)) * 4096
BODY = json.dumps(
    views.board("sentiment") | {"rows": [views.row(1, "tfidf", {"performance": 81.25}) | {"owner": None}]}
)


def snapshot(task: str, public: bool) -> dict[str, Any]:
    """A SnapshotView."""
    address = f"/api/v1/snapshots/{SNAPSHOT}"
    digest = hashlib.sha256(BODY.encode()).hexdigest()
    return {"id": SNAPSHOT, "task": task, "digest": digest, "address": address, "citation": f"{address}/citation",
            "public": public, "created_by": "ada", "created_at": views.NOW}  # fmt: skip


def fork(task: str, wanted: ForkCreate) -> dict[str, Any]:
    """A ForkView."""
    where = f"snapshots/{wanted.snapshot}/leaderboard" if wanted.snapshot else f"leaderboards/{task}"
    kept = {"id": FORK, "task": task, "created_by": "ada", "created_at": views.NOW}
    return wanted.model_dump() | kept | {"board": f"/api/v1/{where}?weight.memory=4.0"}


def add_snapshots(app: FastAPI, asked: Callable[[dict[str, str]], None]) -> None:
    """Their routes; `asked` is told what boards were asked for."""
    forks: list[dict[str, Any]] = []

    @app.post("/api/v1/leaderboards/{task}/snapshots", status_code=201)
    def freeze(task: str, request: Request) -> dict[str, Any]:
        asked(dict(request.query_params))
        return snapshot(task, "unpublished" not in request.query_params)

    @app.get("/api/v1/snapshots/{snapshot_id}")
    def body(snapshot_id: str) -> Response:
        return Response(BODY, media_type="application/json")

    @app.get("/api/v1/snapshots/{snapshot_id}/leaderboard")
    def reweighted(snapshot_id: str, request: Request) -> dict[str, Any]:
        asked(dict(request.query_params))
        return views.board("sentiment")

    @app.get("/api/v1/snapshots/{snapshot_id}/bundle")
    def bundle(snapshot_id: str) -> Response:
        name = f"board-{snapshot_id}.bundle.tar"
        return Response(BUNDLE, headers={"content-disposition": f'attachment; filename="{name}"'})

    @app.get("/api/v1/snapshots/{snapshot_id}/citation", response_model=None)
    def cite(snapshot_id: str, format: str = "json") -> dict[str, Any] | PlainTextResponse:
        if format != "json":
            return PlainTextResponse(f"{format} of {snapshot_id}\n")
        board = views.board("sentiment")
        shared = ("aggregation", "base_metric", "weights", "amrs", "epsilon", "memory_budget_gib", "hardware_profile")
        known = {
            "snapshot": SNAPSHOT,
            "timestamp": views.NOW,
            "models": 4,
            "datasets": [],
            "task": "sentiment",
            "title": "Sentiment",
        }
        frozen = snapshot("sentiment", True)
        return {name: board[name] for name in shared} | known | {name: frozen[name] for name in ("address", "digest")}

    @app.post("/api/v1/leaderboards/{task}/forks", status_code=201)
    def add_fork(task: str, wanted: ForkCreate) -> dict[str, Any]:
        forks.insert(0, fork(task, wanted))
        return forks[0]

    @app.get("/api/v1/leaderboards/{task}/forks")
    def list_forks(task: str) -> list[dict[str, Any]]:
        return forks

    @app.get("/api/v1/forks/{fork_id}")
    def get_fork(fork_id: str) -> dict[str, Any]:
        return next(each for each in forks if each["id"] == fork_id)

    @app.get("/api/v1/leaderboards/{task}/difference")
    def difference(task: str, request: Request) -> dict[str, Any]:
        asked(dict(request.query_params))
        words = "tfidf moves from 70.00 to 71.30 (+1.30): own results +1.30."
        model = {"model_id": "m" * 32, "name": "tfidf", "version_before": 1, "version_after": 2, "before": 70.0,
                 "after": 71.3, "rank_before": 2, "rank_after": 1, "terms": {"own results": 1.3}, "words": words,
        }  # fmt: skip
        empty: dict[str, Any] = {
            name: {} for name in ("amrs_before", "amrs_after", "excluded_before", "excluded_after")
        }
        budgets = dict.fromkeys(("memory_budget_gib_before", "memory_budget_gib_after"), 4.0)
        lists = {"causes": ["own results"], "joined": ["late"], "left": [], "datasets": ["films is new"]}
        return {"task": task, "before": views.NOW, "after": views.NOW, "models": [model]} | empty | budgets | lists
