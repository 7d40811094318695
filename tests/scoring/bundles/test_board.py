"""A frozen leaderboard's bundle ranks it again: cells, AMRS, scores, ranks and their intervals."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient

from dynaboard.bundle.container import Member, members, write
from dynaboard.bundle.document import DOCUMENT, BundleDocument
from dynaboard.bundle.signature import SigningKey, new_signing_key
from dynaboard.identity import Role
from dynaboard.tables import Model
from services.scoring.app import create_app
from services.scoring.bundles.board import KEPT_BACK
from services.scoring.bundles.verification import verify
from services.scoring.settings import ScoringSettings

KEY = new_signing_key()
Freeze = Callable[..., Path]


@pytest.fixture
def freeze(
    platform: dict[str, Any], land: Callable[..., Model], as_caller: Callable[..., dict[str, str]], tmp_path: Path
) -> Freeze:
    """Freezes the board of four models under some weights; its bundle."""
    for name, right in (("one", 5), ("two", 4), ("three", 3), ("four", 1)):
        land(name, right)

    def call(by: Role = Role.TASK_OWNER, **query: Any) -> Path:
        headers = as_caller("rita", Role.READER)
        with TestClient(create_app(ScoringSettings(**platform, signing_key=KEY))) as client:
            frozen = client.post("/leaderboards/sentiment/snapshots", params=query, headers=headers).json()
            answer = client.get(f"/snapshots/{frozen['id']}/bundle", headers=as_caller("olga", by))
        assert answer.status_code == 200, answer.text
        path = tmp_path / "board.tar"
        path.write_bytes(answer.content)
        return path

    return call


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"weight.memory": 3, "weight.throughput": 0},
        {"aggregation": "zscore"},
        {"amrs_method": "median", "epsilon_mode": "absolute", "epsilon": 25},
    ],
)
def test_a_frozen_board_is_ranked_again_from_its_bundle_alone(freeze: Freeze, query: dict[str, Any]) -> None:
    found = verify(freeze(**query))
    assert (found.difference, found.withheld) == (None, {})
    assert found.recomputed > 40


def test_without_the_resamples_all_but_what_follows_from_them_is_computed_again(freeze: Freeze) -> None:
    bundle = freeze(by=Role.ANONYMOUS)
    assert "replicates.npz" not in {name for name, _ in members(bundle)}
    found = verify(bundle)
    assert (found.difference, found.withheld) == (None, {KEPT_BACK: 4 * 6})
    assert found.recomputed > 40


def rewritten(bundle: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The bundle with another board, its list of files put right, signed by somebody else."""
    held = {name: stream.read() for name, stream in members(bundle)}
    board = orjson.loads(held["board.json"])
    change(board)
    file = Member("board.json", orjson.dumps(board))
    document = BundleDocument.model_validate_json(held[DOCUMENT])
    document = document.model_copy(update={"files": document.files | {"board.json": file.sha256}})
    rest = [Member("replicates.npz", held["replicates.npz"])]
    target = bundle.with_name("forged.tar")
    lines = [Member(DOCUMENT, document.model_dump_json().encode()), file, *rest]
    write(target, lines, SigningKey(new_signing_key()))
    return target


def test_a_score_that_does_not_follow_from_the_cells_is_named(freeze: Freeze) -> None:
    def lie(board: dict[str, Any]) -> None:
        board["rows"][0]["score"] += 1

    found = verify(rewritten(freeze(), lie))
    assert "score of one" in (found.difference or "")


def test_a_cell_that_the_bundle_does_not_hold_is_named(freeze: Freeze) -> None:
    def lie(board: dict[str, Any]) -> None:
        board["rows"][1]["datasets"][0]["cells"]["performance"]["value"] = 99.5

    found = verify(rewritten(freeze(), lie))
    assert found.difference == "performance of two on sst: the board shows 99.5, and no cell says so"
