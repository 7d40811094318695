"""How the services listen."""

import socket

from services.__main__ import _listen
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
