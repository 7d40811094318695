"""Calls to the program in a model's pod (`dynaboard.runtime.pod`): JSON over HTTP, with the pod's own token."""

import contextlib
import http.client
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from dynaboard.errors import ModelFailure, PlatformFailure

PATIENCE_S = 10.0
# An hour of memory samples is 5 MB. A longer answer is not our program's (bytes).
LONGEST = 64 * 1024**2


@dataclass(frozen=True)
class PodAddress:
    """Where a model's pod listens: `http://host:port` of its control and of its inference, and the token of the first.

    `name` is the pod's; Prometheus knows it by that.
    """

    name: str
    control_url: str
    inference_url: str
    token: str = field(repr=False)


class Unreachable(PlatformFailure):
    """The model's pod does not answer."""


class Control:
    """Blocking calls, each over a connection of its own: they are few, and a kept one may be dead when needed."""

    def __init__(self, at: PodAddress) -> None:
        self.at = at

    def get(self, target: str, patience_s: float = PATIENCE_S) -> dict[str, Any]:
        """What is there. Raises Unreachable, ModelFailure or PlatformFailure, as the pod says."""
        return self._call("GET", target, None, patience_s)

    def post(self, target: str, body: object = None, patience_s: float = PATIENCE_S) -> dict[str, Any]:
        """Have something done. Raises as `get` does."""
        return self._call("POST", target, json.dumps(body or {}).encode(), patience_s)

    def put(self, target: str, chunks: Iterable[bytes], patience_s: float) -> dict[str, Any]:
        """Send a stream of unknown length in constant memory. Raises as `get` does, and what `chunks` raises."""
        return self._call("PUT", target, chunks, patience_s)

    def _call(
        self, method: str, target: str, body: bytes | Iterable[bytes] | None, patience_s: float
    ) -> dict[str, Any]:
        place = urlsplit(self.at.control_url)
        headers = {"Authorization": f"Bearer {self.at.token}", "Connection": "close"}
        connection = http.client.HTTPConnection(place.hostname or "", place.port or 80, timeout=patience_s)
        try:
            connection.connect()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it may refuse before it has heard all
                connection.request(method, target, body, headers)
            response = connection.getresponse()
            if len(text := response.read(LONGEST + 1)) > LONGEST:
                raise PlatformFailure(f"The model's pod {self.at.name} does not end its answer.")
            return _understood(response.status, text, self.at.name)
        except (OSError, http.client.HTTPException) as error:
            said = str(error) or type(error).__name__
            raise Unreachable(f"The model's pod {self.at.name} does not answer: {said}") from error
        finally:
            connection.close()


def _understood(status: int, text: bytes, name: str) -> dict[str, Any]:
    """The answer. Raises what it tells of."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = {}
    if not isinstance(said, dict):
        said = {}
    if failure := failure_in(said):
        if status >= 400:
            raise failure
    elif status >= 400:
        raise PlatformFailure(f"The model's pod {name} refused a call ({status}).")
    return said


def failure_in(said: Mapping[str, Any]) -> ModelFailure | PlatformFailure | None:
    """The failure that an answer tells of: {"failure": {"kind": "model" | "platform", "detail": sentence}}. Pure."""
    told = said.get("failure")
    if not isinstance(told, Mapping):
        return None
    kind = ModelFailure if told.get("kind") == "model" else PlatformFailure
    return kind(str(told.get("detail", "")) or None)
