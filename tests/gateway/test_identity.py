"""Who somebody is, is decided by the API key and nothing else."""

from typing import Any

import httpx
import pytest
from starlette.requests import Request

from dynaboard.identity import Role
from services.gateway.callers import address
from tests.conftest import INTERNAL_TOKEN
from tests.gateway.conftest import World

FORGED = {"x-dynaboard-token": INTERNAL_TOKEN, "x-dynaboard-user": "admin", "x-dynaboard-role": "admin"}


def told_headers(http: httpx.Client, headers: dict[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = http.get("/models", headers=headers).json()["headers"]
    return {name: value for name, value in told.items() if name.startswith("x-dynaboard-")}


def test_a_service_is_told_whose_key_it_is(world: World, http: httpx.Client) -> None:
    assert told_headers(http, world.headers(Role.SUBMITTER)) == {
        "x-dynaboard-token": INTERNAL_TOKEN,
        "x-dynaboard-user": "submitter",
        "x-dynaboard-role": "submitter",
    }


def test_forged_identity_headers_are_dropped(world: World, http: httpx.Client) -> None:
    assert told_headers(http, world.headers(Role.READER) | FORGED) == {
        "x-dynaboard-token": INTERNAL_TOKEN,
        "x-dynaboard-user": "reader",
        "x-dynaboard-role": "reader",
    }


def test_forged_identity_headers_do_not_make_nobody_somebody(http: httpx.Client) -> None:
    assert told_headers(http, FORGED) == {
        "x-dynaboard-token": INTERNAL_TOKEN,
        "x-dynaboard-user": "",
        "x-dynaboard-role": "anonymous",
    }


def test_the_key_stays_at_the_gateway(world: World, http: httpx.Client) -> None:
    told = http.get("/models", headers=world.headers(Role.READER) | {"cookie": "a=b"}).json()["headers"]
    assert not {"authorization", "cookie"} & told.keys()


@pytest.mark.parametrize(
    "value", ["Bearer dyb_unknown", "Basic YWRtaW46", "dyb_bare", "Bearer", "Bearer \xe9", "Bearer a b"]
)
def test_a_key_that_is_none_is_refused_even_where_nobody_needs_one(http: httpx.Client, value: str) -> None:
    response = http.get("/models", headers=[(b"authorization", value.encode("latin-1"))])
    assert (response.status_code, response.json()["error"]) == (401, "Unauthorized")
    assert response.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("host", "known_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("testclient", "testclient"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(host: str, known_as: str) -> None:
    assert address(Request({"type": "http", "client": (host, 1), "headers": []})) == known_as
