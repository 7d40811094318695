"""One HTTP connection to a gateway's public API: the address, the key, and errors as sentences."""

from typing import Any, TypeVar

import httpx
from pydantic import TypeAdapter

from dynaboard import __version__
from dynaboard.client.answers import checked, reaching
from dynaboard.errors import Unauthorized

# A model that must be started before it answers may take two minutes; everything else is quick.
TIMEOUT = httpx.Timeout(30.0, connect=5.0)
Value = TypeVar("Value")


class Connection:
    """`http` is rooted at `/api/v1/` and sends the key; `url` is the address as people know it."""

    def __init__(self, url: str, key: str = "") -> None:
        self.url = url.rstrip("/")
        headers = {"User-Agent": f"dynaboard/{__version__}", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {_sendable(key)}"
        with reaching(self.url):
            self.http = httpx.Client(base_url=f"{self.url}/api/v1/", headers=headers, timeout=TIMEOUT)

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """One request, whose failure is raised as one of `dynaboard.errors`; `options` are those of httpx."""
        with reaching(self.url):
            return checked(self.http.request(method, path, **options))

    def ask(self, kind: type[Value], method: str, path: str, **options: Any) -> Value:
        """One request, its JSON answer read as `kind` (a schema, or a list of one). Raises as `send` does."""
        response = self.send(method, path, **options)
        with reaching(self.url):
            return TypeAdapter(kind).validate_json(response.content)

    def close(self) -> None:
        """Close the connection."""
        self.http.close()


def given(**query: Any) -> dict[str, Any]:
    """The query parameters that are not None."""
    return {name: value for name, value in query.items() if value is not None}


def _sendable(key: str) -> str:
    """The key, if a header can carry it. A pasted line break or letter would otherwise fail deep inside httpx."""
    key = key.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise Unauthorized("This API key holds characters no key has; copy it again and run `dynaboard login`.")
    return key
