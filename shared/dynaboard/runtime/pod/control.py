"""The control port of a pod: a handful of JSON calls over HTTP, for whoever has the pod's token.

The model in the pod can connect to it too. It has no token, at most as many connections as anybody, and none of
those that others may have.
"""

import hmac
import http.server
import json
import socketserver
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from http import HTTPStatus
from io import BufferedIOBase
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from dynaboard.errors import DynaboardError, ModelFailure

# Connections at a time from one address.
MOST_CONNECTIONS = 16
LARGEST_BODY = 64 * 1024
# The longest pause in a request, and in a stream of an archive, in seconds.
PAUSE_S, STREAM_PAUSE_S = 10.0, 120.0
BLOCK = 1024**2


@dataclass(frozen=True)
class Call:
    """What is asked: the query, a JSON object, and of a PUT the stream instead."""

    query: Mapping[str, str]
    body: Mapping[str, Any]
    stream: Iterator[bytes]


class Said(NamedTuple):
    """What is answered. `then` is called when it has been sent, or cannot be."""

    status: int
    body: Mapping[str, Any]
    then: Callable[[], object] | None = None


class Route(NamedTuple):
    """What answers a call. `guarded`: only whoever has the token may make it."""

    answer: Callable[[Call], Said]
    guarded: bool = True


Routes = Mapping[tuple[str, str], Route]


def failed(failure: DynaboardError) -> dict[str, Any]:
    """A failure as it is told over the wire."""
    kind = "model" if isinstance(failure, ModelFailure) else "platform"
    return {"failure": {"kind": kind, "detail": failure.detail}}


class ControlServer(http.server.ThreadingHTTPServer):
    """Listens on `host:port` at once, answers from `begin` on. A thread for each connection, one call for each."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: str, token: str, routes: Routes) -> None:
        host, _, port = address.rpartition(":")
        self.token = token
        self.routes = routes
        self._counting = threading.Lock()
        self._connections: Counter[str] = Counter()
        super().__init__((host, int(port)), Handler)

    def begin(self) -> None:
        """Answer calls in a thread of its own."""
        threading.Thread(target=self.serve_forever, name="control", daemon=True).start()

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether a new connection is one of those its address may have."""
        who = _who(request, client_address)
        with self._counting:
            if self._connections[who] >= MOST_CONNECTIONS:
                return False
            self._connections[who] += 1
        return True

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and count the connection as closed."""
        who = _who(request, client_address)
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._counting:
                self._connections[who] -= 1

    def server_bind(self) -> None:
        """As a plain server: the name of this machine is asked of nobody."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[0], self.server_address[1]  # type: ignore[assignment]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller who hangs up or is too slow is no error of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _who(connection: Any, peer: Any) -> str:
    """Whose connection it is. All addresses of the pod itself are one: its model may take any of 127.0.0.0/8."""
    try:
        own = connection.getsockname()[0]
    except OSError:
        own = ""
    return "the pod" if peer[0].startswith("127.") or peer[0] == own else str(peer[0])


class Handler(http.server.BaseHTTPRequestHandler):
    """One call."""

    server: ControlServer
    protocol_version = "HTTP/1.1"
    server_version = "dynaboard"
    sys_version = ""
    timeout = PAUSE_S

    def do_GET(self) -> None:
        """Answer."""
        place = urlsplit(self.path)
        route = self.server.routes.get((self.command, place.path))
        self.close_connection = True
        if route is None:
            self._say(Said(HTTPStatus.NOT_FOUND, {}))
        elif route.guarded and not self._has_token():
            self._say(Said(HTTPStatus.UNAUTHORIZED, {}))
        else:
            self._say(self._answered(route, dict(parse_qsl(place.query))))

    do_POST = do_PUT = do_GET

    def _has_token(self) -> bool:
        given = self.headers.get("Authorization", "").encode()
        return hmac.compare_digest(given, f"Bearer {self.server.token}".encode())

    def _answered(self, route: Route, query: Mapping[str, str]) -> Said:
        try:
            if self.command == "PUT":
                self.connection.settimeout(STREAM_PAUSE_S)
                return route.answer(Call(query, {}, streamed(self.rfile, self.headers)))
            return route.answer(Call(query, self._body(), iter(())))
        except DynaboardError as failure:
            return Said(failure.status, failed(failure))
        except ValueError:
            return Said(HTTPStatus.BAD_REQUEST, {})

    def _body(self) -> dict[str, Any]:
        """The JSON object that came along. Raises ValueError when it is none or too long."""
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= LARGEST_BODY:
            raise ValueError(length)
        body = json.loads(self.rfile.read(length)) if length else {}
        if not isinstance(body, dict):
            raise ValueError(body)
        return body

    def _say(self, said: Said) -> None:
        text = json.dumps(said.body).encode()
        try:
            self.send_response(said.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(text)
        finally:  # who asked may be gone
            if said.then:
                said.then()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what this container prints is the model's log."""


def streamed(stream: BufferedIOBase, headers: Message) -> Iterator[bytes]:
    """The body of a request, in blocks. Raises ValueError when it breaks off, OSError when it pauses too long."""
    if headers.get("Transfer-Encoding", "").lower() != "chunked":
        yield from _read(stream, int(headers.get("Content-Length", "0")))
        return
    while length := int(stream.readline(100), 16):
        yield from _read(stream, length)
        stream.readline(3)
    stream.readline(3)


def _read(stream: BufferedIOBase, length: int) -> Iterator[bytes]:
    while length:
        block = stream.read(min(length, BLOCK))
        if not block:
            raise ValueError("the stream broke off")
        length -= len(block)
        yield block
