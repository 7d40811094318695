"""One blocking HTTP call over a Unix socket, for the few calls that start a model server."""

import http.client
import json
import socket
from pathlib import Path
from typing import Any


class UnixConnection(http.client.HTTPConnection):
    """The standard library's HTTP over a Unix socket."""

    def __init__(self, path: Path, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket instead of a host."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def post(path: Path, target: str, body: object, timeout: float) -> tuple[int, dict[str, Any]]:
    """POST JSON and return (status, decoded object). Raises OSError when nobody answers within `timeout` seconds."""
    connection = UnixConnection(path, timeout)
    try:
        connection.request("POST", target, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read()
        try:
            said = json.loads(text)
        except ValueError:
            said = {"message": text[:300].decode(errors="replace")}
        return response.status, said if isinstance(said, dict) else {}
    finally:
        connection.close()
