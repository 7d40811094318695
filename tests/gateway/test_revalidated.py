"""Answers that are not fetched again: used only where the service says that they hold, for this very caller."""

import gzip
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dynaboard.identity import Role
from services.gateway.app import create_app
from services.gateway.revalidated import OVERHEAD_BYTES, Answer, Revalidated
from services.gateway.settings import GatewaySettings
from services.gateway.upstreams import takes_gzip
from tests.conftest import INTERNAL_TOKEN
from tests.gateway.conftest import World
from tests.serving import serving

BOARD = "/leaderboards/nli"


@dataclass
class Boards:
    """A service whose board has a version, tells each user a body of their own, and counts what it sends."""

    version: int = 1
    sent: int = 0
    asked: list[dict[str, str]] = field(default_factory=list)

    def app(self) -> Starlette:
        return Starlette(routes=[Route("/{path:path}", self._answer)])

    async def _answer(self, request: Request) -> Response:
        self.asked.append(dict(request.headers))
        who = request.headers["x-dynaboard-user"]
        headers = {"etag": f'W/"{self.version}"', "vary": "authorization, accept-encoding"}
        if headers["etag"] == request.headers.get("if-none-match"):
            return Response(status_code=304, headers=headers)
        self.sent += 1
        body = f"version {self.version} for {who or 'nobody'}".encode()
        if "gzip" in request.headers["accept-encoding"]:
            body, headers = gzip.compress(body), headers | {"content-encoding": "gzip"}
        return Response(body, media_type="text/plain", headers=headers)


@pytest.fixture
def boards() -> Boards:
    return Boards()


@pytest.fixture
def get(world: World, boards: Boards) -> Iterator[Callable[..., httpx.Response]]:
    """GET the board through a gateway of its own, as a role."""
    with ExitStack() as stack:
        nowhere = dict.fromkeys(("upload_url", "evaluator_url"), "http://127.0.0.1:9")
        scoring = stack.enter_context(serving(boards.app()))
        shared = {"database_url": world.database.url, "internal_token": INTERNAL_TOKEN}
        app = create_app(GatewaySettings(**nowhere, **shared, scoring_url=scoring))
        url = stack.enter_context(serving(app))
        http = stack.enter_context(httpx.Client(base_url=f"{url}/api/v1", timeout=30))

        def call(role: Role = Role.ANONYMOUS, **headers: str) -> httpx.Response:
            return http.get(BOARD, headers=world.headers(role) | headers)

        yield call


Get = Callable[..., httpx.Response]


def test_what_holds_is_not_sent_by_the_service_again(get: Get, boards: Boards) -> None:
    answers = [get() for _ in range(3)]
    assert {(answer.status_code, answer.text, answer.headers["etag"]) for answer in answers} == {
        (200, "version 1 for nobody", 'W/"1"')
    }
    assert (boards.sent, len(boards.asked)) == (1, 3), "asked each time, sent once"


def test_what_has_changed_is_fetched_at_once(get: Get, boards: Boards) -> None:
    assert get().text == "version 1 for nobody"
    boards.version = 2
    assert [get().text, get().text] == ["version 2 for nobody"] * 2


def test_nobody_is_answered_what_another_was_told(get: Get, boards: Boards) -> None:
    roles = (Role.READER, Role.ADMIN, Role.ANONYMOUS, Role.READER)
    assert [get(role).text for role in roles] == [
        "version 1 for reader", "version 1 for admin", "version 1 for nobody", "version 1 for reader",
    ]  # fmt: skip
    assert boards.sent == 3


def test_who_takes_no_gzip_is_sent_none(get: Get) -> None:
    packed, plain = (get(**{"accept-encoding": coding}) for coding in ("gzip, br", "identity"))
    assert (packed.headers.get("content-encoding"), plain.headers.get("content-encoding")) == ("gzip", None)
    assert packed.text == plain.text


def test_a_client_that_has_the_board_is_told_so(get: Get) -> None:
    get()
    again = get(**{"if-none-match": 'W/"1"'})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
        ("", False),
        ("x-gzip", False),
    ],
)
def test_gzip_is_for_who_names_it(header: str, takes: bool) -> None:
    assert takes_gzip(header) == takes


def test_the_answer_not_asked_for_longest_makes_room() -> None:
    known = Revalidated(all_bytes=2 * (4_000 + OVERHEAD_BYTES + 1))
    for key in "abc":
        known.keep(key, Answer(200, {"etag": key}, bytes(4_000)))
        known.find("a")
    assert [known.find(key) is not None for key in "abc"] == [True, False, True]


def test_long_addresses_of_small_answers_are_counted() -> None:
    known = Revalidated(all_bytes=100_000)
    keys = [f"/snapshots/k3jx7q2mza?{number}{'x' * 30_000}" for number in range(10)]
    for key in keys:
        known.keep(key, Answer(200, {"etag": "1"}, b"{}"))
    assert sum(known.find(key) is not None for key in keys) == 3


@pytest.mark.parametrize(
    "answer",
    [
        Answer(404, {"etag": "1"}, b""),
        Answer(200, {}, b""),
        Answer(200, {"etag": "1", "cache-control": "no-store"}, b""),
    ],
)
def test_only_what_can_be_asked_about_is_kept(answer: Answer) -> None:
    known = Revalidated()
    known.keep("a", answer)
    assert known.find("a") is None
