"""Frozen boards: the same bytes for ever, no more in them than their readers may see, and how to cite them."""

import hashlib
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from dynaboard.board_schemas import Citation, ForkView, SnapshotView
from dynaboard.identity import Role
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Model
from tests.scoring.world import World, labelled

AsCaller = Callable[..., dict[str, str]]
Get = Callable[..., httpx.Response]
Land = Callable[..., Model]
Freeze = Callable[..., SnapshotView]


@pytest.fixture
def freeze(client: httpx.Client, as_caller: AsCaller) -> Freeze:
    def call(by: str = "rita", role: Role = Role.READER, **params: Any) -> SnapshotView:
        answer = client.post("/leaderboards/sentiment/snapshots", params=params, headers=as_caller(by, role))
        assert answer.status_code == 201, answer.text
        return SnapshotView(**answer.json())

    return call


def test_an_address_gives_the_same_bytes_whatever_happens_to_the_board(
    world: World, land: Land, freeze: Freeze, get: Get
) -> None:
    model = land("one", 5)
    land("two", 3)
    frozen = freeze(**{"weight.memory": 3, "limit": 1})
    first = get(f"/snapshots/{frozen.id}")
    assert hashlib.sha256(first.content).hexdigest() == frozen.digest
    assert len(frozen.id) == 10
    land("three", 4)
    with world.database.begin() as db:
        db.get_one(Model, model.id).published = False
    world.dataset("sst", labelled(["neutral"]), version=2)
    assert get(f"/snapshots/{frozen.id}").content == first.content
    board = LeaderboardView(**first.json())
    assert [row.name for row in board.rows] == ["one", "two"], "all rows, not the page"
    assert board.weights["memory"] == pytest.approx(1 / 2 * 2 * 3 / 8)
    assert board.generated_at == frozen.created_at


def test_caches_may_keep_it_for_ever_and_can_check_it(land: Land, freeze: Freeze, get: Get) -> None:
    land("one", 5)
    frozen = freeze()
    answer = get(f"/snapshots/{frozen.id}")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    named = answer.headers["content-digest"].removeprefix("sha-256=:").removesuffix(":")
    assert b64decode(named).hex() == frozen.digest
    assert get(f"/snapshots/{frozen.id}", etag=answer.headers["etag"]).status_code == 304


def test_strangers_freeze_nothing(client: httpx.Client, as_caller: AsCaller) -> None:
    nobody = as_caller("", Role.ANONYMOUS)
    assert client.post("/leaderboards/sentiment/snapshots", headers=nobody).status_code == 401


def test_a_public_snapshot_holds_only_what_everybody_sees(world: World, land: Land, freeze: Freeze, get: Get) -> None:
    land("open", 5, anonymous=True)
    land("draft", 4, published=False)
    world.dataset("secret", labelled(["neutral"]), role="hidden")
    for by, role in (("ada", Role.SUBMITTER), ("root", Role.ADMIN)):
        board = LeaderboardView(**get(f"/snapshots/{freeze(by, role).id}").json())
        assert [(row.name, row.owner) for row in board.rows] == [("open", None)]
        assert [dataset["name"] for dataset in board.datasets] == ["sst"]


def test_a_snapshot_names_no_owner_for_who_is_named_in_it_is_named_for_ever(
    land: Land, freeze: Freeze, get: Get
) -> None:
    model = land("one", 5)
    assert [row["owner"] for row in get().json()["rows"]] == ["ada"]
    (row,) = get(f"/snapshots/{freeze().id}").json()["rows"]
    assert (row["owner"], row["name"], row["model_id"]) == (None, "one", model.id)


def test_a_snapshot_with_unpublished_models_is_its_makers(land: Land, freeze: Freeze, get: Get) -> None:
    land("draft", 4, published=False)
    frozen = freeze("ada", Role.SUBMITTER, unpublished=True)
    assert not frozen.public
    statuses = {by: get(f"/snapshots/{frozen.id}", by=by).status_code for by in ("", "rita", "ada")}
    assert statuses == {"": 404, "rita": 404, "ada": 200}
    assert get(f"/snapshots/{frozen.id}/citation").status_code == 404
    assert get(f"/snapshots/{frozen.id}", by="ada").headers["cache-control"].startswith("private")
    assert freeze("rita", unpublished=True).id != frozen.id
    assert LeaderboardView(**get(f"/snapshots/{freeze('rita', unpublished=True).id}", by="rita").json()).rows == []


def test_a_citation_names_datasets_weights_and_time(land: Land, freeze: Freeze, get: Get) -> None:
    land("one", 5)
    frozen = freeze()
    card = Citation(**get(f"/snapshots/{frozen.id}/citation").json())
    assert (card.datasets[0].name, card.datasets[0].version, card.datasets[0].weight) == ("sst", 1, 1)
    assert card.datasets[0].citation == "Socher 2013 & al."
    assert (card.timestamp, card.models, card.digest) == (frozen.created_at, 1, frozen.digest)
    text = get(f"/snapshots/{frozen.id}/citation", format="text").text
    for fact in ("sst version 1", "performance 1", f"{frozen.created_at:%Y-%m-%d %H:%M:%S}", frozen.id, frozen.digest):
        assert fact in text
    bibtex = get(f"/snapshots/{frozen.id}/citation", format="bibtex").text
    assert bibtex.startswith(f"@misc{{dynaboard-{frozen.id},")
    assert bibtex.count("{") == bibtex.count("}")


def test_an_unknown_address_is_not_found(get: Get) -> None:
    assert get("/snapshots/aaaaaaaaaa").status_code == 404
    assert get("/forks/aaaaaaaaaa").status_code == 404
    assert get("/snapshots/no").status_code == 422


@pytest.fixture
def fork(client: httpx.Client, as_caller: AsCaller) -> Callable[..., httpx.Response]:
    def call(by: str = "rita", **body: Any) -> httpx.Response:
        role = Role.READER if by else Role.ANONYMOUS
        return client.post("/leaderboards/sentiment/forks", json={"name": "green"} | body, headers=as_caller(by, role))

    return call


Fork = Callable[..., httpx.Response]


def test_a_fork_leads_to_the_live_board_under_its_weights(land: Land, fork: Fork, get: Get) -> None:
    land("one", 5)
    land("two", 3)
    made = ForkView(**fork(description="Small is beautiful.", weights={"memory": 4, "performance": 1}).json())
    assert ForkView(**get(f"/forks/{made.id}").json()) == made
    assert [ForkView(**found) for found in get("/leaderboards/sentiment/forks").json()] == [made]
    weights = get(made.board.removeprefix("/api/v1")).json()["weights"]
    assert weights["memory"] == pytest.approx(4 * weights["performance"])


def test_a_fork_of_a_snapshot_ranks_what_was_frozen(land: Land, fork: Fork, freeze: Freeze, get: Get) -> None:
    for name, right in (("one", 5), ("two", 3), ("three", 2)):
        land(name, right)
    frozen = freeze()
    weights = {"memory": 4.0, "throughput": 2.0}
    same = get(**{f"weight.{name}": value for name, value in weights.items()}).json()
    land("four", 4)
    forked = get(ForkView(**fork(snapshot=frozen.id, weights=weights).json()).board.removeprefix("/api/v1"))
    assert forked.status_code == 200, forked.text
    board = forked.json()
    assert [(row["name"], row["rank"], row["score"]) for row in board["rows"]] == [
        (row["name"], row["rank"], pytest.approx(row["score"])) for row in same["rows"]
    ]
    for made in ("weights", "dataset_weights", "amrs", "exchange_rates", "excluded", "kept_pairs", "pool", "epsilon"):
        assert board[made] == same[made]


def test_a_fork_of_what_one_may_not_see_is_refused(land: Land, fork: Fork, freeze: Freeze) -> None:
    land("one", 5)
    private = freeze("ada", Role.SUBMITTER, unpublished=True)
    assert fork(name="other", snapshot=private.id).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"weights": {"speed": 1}}, 422),
        ({"weights": {"memory": -1}}, 422),
        ({"name": "Not A Name"}, 422),
        ({"name": "../../etc"}, 422),
        ({"snapshot": "aaaaaaaaaa"}, 404),
        ({"by": ""}, 401),
    ],
)
def test_what_no_fork_can_be_is_refused(fork: Fork, body: dict[str, Any], status: int) -> None:
    assert fork(**body).status_code == status


def test_one_name_of_one_maker_is_one_fork(fork: Fork) -> None:
    assert [fork().status_code, fork().status_code, fork(by="ada").status_code] == [201, 409, 201]
