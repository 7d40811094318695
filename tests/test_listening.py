"""How the services listen."""

import contextlib
import socket

import pytest

from dynaboard.settings import Settings
from services.__main__ import _backing, _listen, _settings
from services.gateway.settings import GatewaySettings


def test_small_answers_are_not_held_back_for_an_acknowledgement() -> None:
    """asyncio turns Nagle's algorithm off only for sockets that say they are TCP."""
    settings = GatewaySettings(port=0).model_dump()
    sockets = _listen(["gateway"], settings)
    try:
        assert {listening.proto for listening in sockets.values()} == {socket.IPPROTO_TCP}
    finally:
        for listening in sockets.values():
            listening.close()


@pytest.mark.parametrize(
    ("service", "port"), [("gateway", 8000), ("upload", 8001), ("evaluator", 8002), ("scoring", 8003)]
)
def test_a_service_alone_listens_on_a_port_of_its_own(service: str, port: int) -> None:
    settings = Settings(database_url="postgresql://", s3_url="http://s3", internal_token="known")
    with contextlib.ExitStack() as stack:
        assert _settings(service, _backing(settings, stack)).port == port


def test_a_service_alone_listens_where_the_settings_say() -> None:
    settings = Settings(database_url="postgresql://", s3_url="http://s3", internal_token="known", port=8123)
    with contextlib.ExitStack() as stack:
        assert _settings("scoring", _backing(settings, stack)).port == 8123
