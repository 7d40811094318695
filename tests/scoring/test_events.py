"""Server-sent events of a leaderboard, over a real socket."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from dynaboard.database import Database
from dynaboard.storage import Storage
from services.scoring.app import create_app
from services.scoring.settings import ScoringSettings
from tests.conftest import execute
from tests.scoring.world import World
from tests.serving import serving


@pytest.fixture
def address(platform: dict[str, Any], storage: Storage) -> Iterator[str]:
    """The service on a socket of this machine."""
    with serving(create_app(ScoringSettings(**platform))) as url:
        yield url


def _events(stream: httpx.Response) -> Iterator[dict[str, Any]]:
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_a_watcher_gets_the_newest_board_at_once_and_each_new_one(
    address: str, world: World, run_score: Callable[[str], None], as_caller: Callable[..., dict[str, str]]
) -> None:
    with httpx.stream(
        "GET", f"{address}/leaderboards/sentiment/events", headers=as_caller("ada"), timeout=20
    ) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        events = _events(stream)
        assert next(events) == {"task": "sentiment", "board": None, "digest": None}
        run_score(world.submission("other", task="nli").id)
        run_score(world.submission("mine").id)
        event = next(events)
    assert event["task"] == "sentiment"
    assert event["board"] > 0


def test_a_watcher_is_told_to_look_again_when_notifications_may_have_been_lost(
    address: str, database: Database, as_caller: Callable[..., dict[str, str]]
) -> None:
    with httpx.stream(
        "GET", f"{address}/leaderboards/sentiment/events", headers=as_caller("ada"), timeout=20
    ) as stream:
        events = _events(stream)
        first = next(events)
        kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN dynaboard%'"
        execute(database.url, kill)
        assert next(events) == first


def test_an_unknown_task_has_no_events(address: str, as_caller: Callable[..., dict[str, str]]) -> None:
    assert httpx.get(f"{address}/leaderboards/chess/events", headers=as_caller("ada")).status_code == 404
    assert httpx.get(f"{address}/leaderboards/sentiment/events").status_code == 401
