"""Requests made to break a service: each must be refused in a sentence, never answered with 500."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from dynaboard.board_schemas import ForkCreate
from dynaboard.identity import Caller, Role
from dynaboard.schemas import SubmissionCreate
from services.scoring.app import create_app
from services.scoring.kept import Kept
from services.scoring.settings import ScoringSettings

BOARD = "/leaderboards/sentiment"


@pytest.fixture
def scoring(platform: dict[str, Any]) -> Iterator[TestClient]:
    """The scoring service, which shows errors as its callers would see them."""
    with TestClient(create_app(ScoringSettings(**platform)), raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(
    "query",
    [
        "hardware=%00",
        "tag=%00",
        "as_of=0001-01-01T00:00:00%2B23:59",
        "as_of=9999-12-31T23:59:59-23:59",
        "weight.performance=nan",
        "weight.performance=inf",
        "weight.performance=-1",
        "dataset_weight.%00=1",
        "epsilon=nan",
    ],
)
def test_a_query_that_cannot_be_is_refused(
    query: str, scoring: TestClient, as_caller: Callable[..., dict[str, str]]
) -> None:
    answer = scoring.get(f"{BOARD}?{query}", headers=as_caller("ada"))
    assert answer.status_code == 422, answer.text


@pytest.mark.parametrize("given", ["é", "a" * 5000, "a\x1bb", "a b"])
def test_a_strange_request_id_is_replaced(given: str, scoring: TestClient) -> None:
    answer = scoring.get("/healthz", headers={b"x-request-id": given.encode("latin-1")})
    assert (answer.status_code, len(answer.headers["x-request-id"])) == (200, 16)


@pytest.mark.parametrize(
    "fields",
    [
        {"description": "a\x00b"},
        {"description": "\x1b[31m"},
        {"dataset_weights": {"a\x00": 1}},
        {"dataset_weights": {"a" * 100: 1}},
        {"weights": {"performance": float("inf")}},
    ],
)
def test_a_fork_holds_only_what_can_be_stored_and_shown(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ForkCreate(name="mine", **fields)


def test_no_size_of_an_archive_overflows() -> None:
    with pytest.raises(ValidationError):
        SubmissionCreate.model_validate({"task": "sentiment", "name": "a", "size": 10**400})


@pytest.mark.parametrize("path", [f"{BOARD}", f"{BOARD}/pairs", f"{BOARD}/events", "/submissions/x/scores"])
def test_a_service_asked_without_the_gateway_refuses(path: str, scoring: TestClient) -> None:
    claimed = {"x-dynaboard-user": "admin", "x-dynaboard-role": "admin"}
    assert scoring.get(path, headers=claimed).status_code == 401
    assert scoring.get(path, headers=claimed | {"x-dynaboard-token": "guess"}).status_code == 401


def test_what_cannot_be_made_is_not_remembered() -> None:
    """Else a stream of bad queries, each another, would fill the memory."""
    kept: Kept[int] = Kept(2, 60)

    def fail() -> int:
        raise ZeroDivisionError

    for key in range(50):
        with pytest.raises(ZeroDivisionError):
            kept.get(key, "token", fail)
    assert not kept._making


def test_a_nameless_caller_is_nobodys_owner() -> None:
    assert not Caller("", Role.ANONYMOUS).may_change("")
