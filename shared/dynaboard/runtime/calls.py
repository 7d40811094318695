"""One blocking HTTP call over a Unix socket or TCP, for the few calls that start a model server."""

import http.client
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any


class UnixConnection(http.client.HTTPConnection):
    """The standard library's HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket instead of a host."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


def listens(path: Path) -> bool:
    """Whether somebody accepts connections on a Unix socket; its file is there a moment earlier."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(str(path)) == 0


def post(
    address: str, target: str, body: object, timeout: float, connected: Callable[[], object] = lambda: None
) -> tuple[int, dict[str, Any]]:
    """POST JSON to `unix:/path` or `http://host:port`; return (status, decoded object).

    `connected` is called when there is a connection, before anything is sent. Raises OSError when nobody answers within
    `timeout` seconds.
    """
    unix = address.startswith("unix:")
    host = address.removeprefix("http://")
    connection = UnixConnection(address[5:], timeout) if unix else http.client.HTTPConnection(host, timeout=timeout)
    try:
        connection.connect()
        connected()
        connection.request("POST", target, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read()
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = {"message": text[:300].decode(errors="replace")}
        return response.status, said if isinstance(said, dict) else {}
    finally:
        connection.close()
