"""The read path: the same answer without the work, never an outdated one."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from dynaboard.identity import NOBODY, Role, headers_for
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Model, Publication
from tests.conftest import INTERNAL_TOKEN
from tests.scoring.world import World

AsCaller = Callable[..., dict[str, str]]
Get = Callable[..., httpx.Response]


Land = Callable[..., Model]
NOBODYS = headers_for(NOBODY, INTERNAL_TOKEN)


def test_who_has_the_board_is_not_sent_it_again(land: Land, get: Get) -> None:
    land("one", 5)
    first = get()
    assert get().content == first.content, "the time of writing, too"
    again = get(etag=first.headers["etag"])
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    other = get(etag=first.headers["etag"], **{"weight.memory": 2})
    assert other.status_code == 200


def test_a_landing_and_a_withdrawal_show_at_once(world: World, land: Land, get: Get) -> None:
    first = land("one", 5)
    before = get()
    land("two", 3)
    assert [row["name"] for row in get(etag=before.headers["etag"]).json()["rows"]] == ["one", "two"]
    with world.database.begin() as db:
        db.get_one(Model, first.id).published = False
        db.add(Publication(task="sentiment", model_id=first.id, published=False, anonymous=False))
    assert [row["name"] for row in get().json()["rows"]] == ["two"]


def test_what_one_may_see_is_not_kept_for_another(client: httpx.Client, land: Land, as_caller: AsCaller) -> None:
    land("draft", 5, published=False)
    path = "/leaderboards/sentiment?unpublished=true"
    seen = {
        name: client.get(path, headers=as_caller(name, Role.SUBMITTER)).json()["total"]
        for name in ("ada", "bob", "ada")
    }
    assert seen == {"ada": 1, "bob": 0}


@pytest.mark.parametrize(
    "params", [{}, {"weight.memory": 3, "limit": 2}, {"sort": "name"}, {"aggregation": "zscore", "offset": 1}]
)
def test_the_brief_board_is_the_whole_one_with_less_in_it(land: Land, get: Get, params: dict[str, Any]) -> None:
    for name, right in (("one", 5), ("two", 3), ("three", 2)):
        land(name, right)
    for _ in range(2):
        brief = LeaderboardView(**get(detail="ranking", **params).json()).model_dump()
    whole = LeaderboardView(**get(**params).json()).model_dump()
    for row in brief["rows"]:
        (match,) = [other for other in whole["rows"] if other["name"] == row["name"]]
        for cell, other in zip(row["metrics"].values(), match["metrics"].values(), strict=True):
            assert (cell is None) == (other is None)
            if cell:
                assert [cell[key] for key in ("value", "n", "unit")] == [other[key] for key in ("value", "n", "unit")]
        left_out = ("metrics", "datasets", "score_low", "score_high", "rank_low", "rank_high", "tie_group")
        same = row.keys() - {*left_out, "first", "pareto", "aggregations"}
        assert {key: row[key] for key in same} == {key: match[key] for key in same}
    heading = brief.keys() - {"rows", "uncertainty", "generated_at"}
    assert {key: brief[key] for key in heading} == {key: whole[key] for key in heading}


def test_who_takes_gzip_gets_the_same_board_in_fewer_bytes(land: Land, client: httpx.Client, get: Get) -> None:
    land("one", 5)
    plain, packed = (
        client.get("/leaderboards/sentiment", headers=NOBODYS | {"accept-encoding": coding})
        for coding in ("identity", "gzip")
    )
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert packed.json() == plain.json()
    assert packed.headers["etag"] == plain.headers["etag"]
    assert "accept-encoding" in plain.headers["vary"]


@pytest.mark.parametrize("part", ["pairs", "influence", "weight-map"])
def test_an_analysis_is_made_once_while_nothing_changes(land: Land, get: Get, part: str) -> None:
    for name, right in (("one", 5), ("two", 3), ("three", 2)):
        land(name, right)
    path = f"/leaderboards/sentiment/{part}"
    first = get(path)
    assert get(path).content == first.content, "the time of writing, too"
    assert get(path, etag=first.headers["etag"]).status_code == 304
    land("four", 4)
    again = get(path, etag=first.headers["etag"])
    assert (again.status_code, again.content == first.content) == (200, False)


@pytest.mark.parametrize(
    ("extension", "media_type", "start"),
    [
        ("csv", "text/csv", "rank,"),
        ("json", "application/json", "{"),
        ("tex", "application/x-tex", "% Needs"),
        ("md", "text/markdown", "| Rank |"),
    ],
)
def test_every_format_is_a_file(land: Land, get: Get, extension: str, media_type: str, start: str) -> None:
    land("one", 5)
    answer = get(f"/leaderboards/sentiment.{extension}")
    assert answer.headers["content-type"].startswith(media_type)
    assert f"leaderboard-sentiment.{extension}" in answer.headers["content-disposition"]
    assert answer.text.startswith(start)
    assert "one" in answer.text


def test_an_unknown_format_is_told(get: Get) -> None:
    assert get("/leaderboards/sentiment.xls").status_code == 422
