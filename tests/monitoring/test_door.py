"""Who may read /metrics: on the gateway those with the telemetry token, on the services behind it all who get there."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dynaboard.embedded import free_port
from services.__main__ import SERVICES, _listen
from services.gateway.app import create_app
from services.gateway.settings import GatewaySettings
from services.upload.app import create_app as create_upload
from services.upload.settings import UploadSettings

TOKEN = "token-of-the-test"
Door = Callable[[str], TestClient]


@pytest.fixture
def gateway(platform: dict[str, Any]) -> Iterator[Door]:
    """A gateway with this telemetry token."""
    opened: list[TestClient] = []

    def with_token(token: str) -> TestClient:
        opened.append(TestClient(create_app(GatewaySettings(**platform, telemetry_token=token))))
        return opened[-1].__enter__()

    yield with_token
    for client in opened:
        client.__exit__()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_the_gateway_tells_its_series_to_those_with_the_token(gateway: Door) -> None:
    answer = gateway(TOKEN).get("/metrics", headers=bearer(TOKEN))
    assert answer.status_code == 200
    assert "dynaboard_http_requests_total" in answer.text


@pytest.mark.parametrize("headers", [{}, bearer(""), bearer("token"), bearer("clé"), {"Authorization": "Basic eDp5"}])
def test_the_gateway_tells_strangers_nothing(gateway: Door, headers: dict[str, str]) -> None:
    encoded = {name: value.encode() for name, value in headers.items()}
    answer = gateway(TOKEN).get("/metrics", headers=encoded)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "telemetry token" in answer.json()["detail"]
    assert "dynaboard_" not in answer.text


@pytest.mark.parametrize("headers", [{}, bearer("")])
def test_a_gateway_without_a_token_tells_nobody(gateway: Door, headers: dict[str, str]) -> None:
    assert gateway("").get("/metrics", headers=headers).status_code == 401


def test_the_services_behind_it_need_none(platform: dict[str, Any]) -> None:
    with TestClient(create_upload(UploadSettings(**platform))) as upload:
        assert upload.get("/metrics").status_code == 200


def test_run_together_the_services_behind_the_gateway_listen_on_this_machine_alone() -> None:
    sockets = _listen(SERVICES, {"host": "0.0.0.0", "port": free_port()})
    try:
        addresses = {name: opened.getsockname()[0] for name, opened in sockets.items()}
    finally:
        for opened in sockets.values():
            opened.close()
    assert addresses.pop("gateway") == "0.0.0.0"
    assert set(addresses.values()) == {"127.0.0.1"}
