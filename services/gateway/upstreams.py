"""Passes a request on to the service that owns it, and its answer back: small answers whole, the rest as they come."""

import logging
import re
from collections.abc import AsyncIterable, AsyncIterator

import httpx
from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from starlette.background import BackgroundTask

from dynaboard import logs
from dynaboard.errors import PlatformFailure, Unavailable
from dynaboard.identity import Caller, headers_for
from services.gateway.revalidated import MOST_BYTES, Answer, Revalidated
from services.gateway.settings import GatewaySettings

LOG = logging.getLogger(__name__)
PREFIX = "/api/v1"
UPLOAD, EVALUATOR, SCORING = "upload", "evaluator", "scoring"

# Only these headers pass; whoever sends x-dynaboard-user from outside sends it in vain.
INWARDS = (
    "accept",
    "content-type",
    "content-length",
    "if-none-match",
    "if-range",
    "last-event-id",
    "range",
    "x-crc32",
    "x-sha256",
)
OUTWARDS = (
    *(
        "accept-ranges",
        "cache-control",
        "content-digest",
        "content-disposition",
        "content-encoding",
        "content-length",
        "content-range",
    ),
    *("content-type", "etag", "last-modified", "retry-after", "vary"),
)

# Seconds for each wait on the connection, not for the whole.
QUICK = httpx.Timeout(60.0, connect=5.0)
# A model may have to be started first (two minutes) before it predicts (one).
PREDICT = httpx.Timeout(300.0, connect=5.0)
# A part waits for its turn in upload's memory; a large archive is read once more, a large dataset imported.
TRANSFER = httpx.Timeout(900.0, connect=5.0)
# Events come when they come.
EVENTS = httpx.Timeout(60.0, connect=5.0, read=None)

READING = frozenset({"GET", "HEAD"})
Body = bytes | AsyncIterable[bytes] | None


class Upstreams:
    """The other services over HTTP, through one pool of connections."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._urls = {
            UPLOAD: settings.upload_url.rstrip("/"),
            EVALUATOR: settings.evaluator_url.rstrip("/"),
            SCORING: settings.scoring_url.rstrip("/"),
        }
        self._token = settings.internal_token
        # Each watched leaderboard holds a connection, so their number is not limited here. An idle one is given up
        # before uvicorn does so (5 s), or the next request could meet it closing. The pool looks at all idle ones in
        # every request, so they are few.
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=10, keepalive_expiry=2.0)
        # A connection that is refused is tried again, with another process of the service if there is one: at once, and
        # half a second later.
        transport = httpx.AsyncHTTPTransport(retries=2, limits=limits, trust_env=False)
        self._http = httpx.AsyncClient(timeout=QUICK, transport=transport, trust_env=False)
        self._known = Revalidated()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def get(self, service: str, path: str, caller: Caller) -> httpx.Response:
        """A small answer, whole, on the gateway's own account. Raises Unavailable."""
        outgoing = self._http.build_request("GET", self._urls[service] + path, headers=self._on_behalf(caller))
        answer = await self._send(service, outgoing)
        try:
            await answer.aread()
        finally:
            await answer.aclose()
        return answer

    async def pass_on(
        self, request: Request, caller: Caller, service: str, body: bytes | None = None, timeout: httpx.Timeout = QUICK
    ) -> Response:
        """The service's answer to this request. Raises Unavailable, and PlatformFailure when the service broke.

        What the same caller was answered before is not fetched again where the service says that it still holds.
        """
        outgoing = self._outgoing(request, caller, service, body, timeout)
        key = None
        if outgoing.method == "GET" and not outgoing.headers.keys() & {"if-none-match", "range", "if-range"}:
            key = (str(outgoing.url), caller, outgoing.headers["accept-encoding"], outgoing.headers.get("accept"))
        known = self._known.find(key) if key else None
        if known:
            outgoing.headers["if-none-match"] = known.etag
        answer = await self._send(service, outgoing)
        if known and answer.status_code == 304:
            await _whole(answer)  # only a connection that was read to its end is used again
            return Response(known.body, headers=known.headers)
        if int(answer.headers.get("content-length", MOST_BYTES + 1)) > MOST_BYTES:
            return _streamed(answer)
        whole = Answer(answer.status_code, _outwards(answer), await _whole(answer))
        if key:
            self._known.keep(key, whole)
        return Response(whole.body, whole.status, whole.headers)

    async def stream_on(
        self, request: Request, caller: Caller, service: str, body: Body = None, timeout: httpx.Timeout = QUICK
    ) -> StreamingResponse:
        """The same, with body and answer passed on as they come. Raises as `pass_on`."""
        return _streamed(await self._send(service, self._outgoing(request, caller, service, body, timeout)))

    def _outgoing(
        self, request: Request, caller: Caller, service: str, body: Body, timeout: httpx.Timeout
    ) -> httpx.Request:
        # None of these has a use for a value that is not ASCII, which httpx would not send either.
        headers = {name: value for name in INWARDS if (value := request.headers.get(name, "")) and value.isascii()}
        if isinstance(body, bytes | None):  # not the bytes that came
            headers.pop("content-length", None)
        path, query = request.url.path.removeprefix(PREFIX), request.url.query
        url = f"{self._urls[service]}{path}{f'?{query}' if query else ''}"
        taken = {"accept-encoding": "gzip" if takes_gzip(request.headers.get("accept-encoding", "")) else "identity"}
        headers |= self._on_behalf(caller) | taken
        return self._http.build_request(request.method, url, headers=headers, content=body, timeout=timeout)

    def _on_behalf(self, caller: Caller) -> dict[str, str]:
        tracing = {"x-request-id": logs.request_id.get(), "accept-encoding": "identity"}
        return headers_for(caller, self._token) | tracing

    async def _send(self, service: str, request: httpx.Request) -> httpx.Response:
        try:
            answer = await self._asked(request)
        except httpx.TimeoutException as error:
            LOG.warning("%s timed out: %r", service, error)
            raise Unavailable(f"The {service} service did not answer in time; try again in a minute.") from None
        except httpx.TransportError as error:
            LOG.warning("%s cannot be reached: %r", service, error)
            detail = f"The {service} service does not answer just now; nothing is lost, try again in a minute."
            raise Unavailable(detail) from None
        if answer.status_code >= 500 and answer.headers.get("content-type") != "application/json":
            await answer.aclose()
            raise PlatformFailure(f"The {service} service failed on this request; tell the operator.")
        return answer

    async def _asked(self, request: httpx.Request) -> httpx.Response:
        """The answer; what only reads is asked once more when the process that had it ended before it answered."""
        try:
            return await self._http.send(request, stream=True)
        except (httpx.RemoteProtocolError, httpx.ReadError):
            if request.method not in READING:
                raise
            return await self._http.send(request, stream=True)


def takes_gzip(accept_encoding: str) -> bool:
    """Whether this header names gzip, and not with the weight 0."""
    codings = [coding.partition(";") for coding in accept_encoding.lower().replace(" ", "").split(",")]
    return any(name == "gzip" and not re.fullmatch(r"q=0(\.0*)?", weight) for name, _, weight in codings)


def _outwards(answer: httpx.Response) -> dict[str, str]:
    return {name: answer.headers[name] for name in OUTWARDS if name in answer.headers}


def _streamed(answer: httpx.Response) -> StreamingResponse:
    # Whatever ends the answer, a client that hung up too, ends the service's side of it.
    ending = BackgroundTask(answer.aclose)
    return StreamingResponse(_pieces(answer), answer.status_code, _outwards(answer), background=ending)


async def _whole(answer: httpx.Response) -> bytes:
    return b"".join([piece async for piece in _pieces(answer)])


async def _pieces(answer: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for piece in answer.aiter_raw():
            yield piece
    finally:
        await answer.aclose()
