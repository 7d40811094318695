"""Every way a request can go wrong is one of dynaboard.errors, with a sentence that says what to do."""

import httpx
import pytest

from dynaboard import errors
from dynaboard.client import Client
from dynaboard.client.answers import checked, reaching
from tests.client.fake_gateway import Gateway

REQUEST = httpx.Request("GET", "http://board.example/api/v1/whoami")


def answer(status: int, **body: object) -> httpx.Response:
    """A response of the server."""
    return httpx.Response(status, request=REQUEST, **body)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [errors.Conflict, errors.QuotaExceeded, errors.ModelFailure, errors.TooLarge])
def test_an_error_comes_back_as_the_class_and_sentence_the_server_raised(kind: type[errors.DynaboardError]) -> None:
    with pytest.raises(kind) as caught:
        checked(answer(kind.status, json={"error": kind.__name__, "detail": "Do this."}))
    assert caught.value.detail == "Do this."


def test_an_unknown_error_class_falls_back_to_the_status() -> None:
    with pytest.raises(errors.Conflict, match="Too new"):
        checked(answer(409, json={"error": "NewerThanThisClient", "detail": "Too new."}))


def test_a_proxys_error_page_names_the_address_and_the_status() -> None:
    with pytest.raises(errors.Unavailable, match=r"http://board\.example/ answered 502 Bad Gateway"):
        checked(answer(502, text="<html>"))


def test_a_crash_of_the_server_is_the_platforms_failure() -> None:
    with pytest.raises(errors.PlatformFailure, match="500"):
        checked(answer(500, text="Internal Server Error"))


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        (httpx.ConnectError("refused"), errors.Unavailable, "No Dynaboard answers at http://here"),
        (httpx.ReadTimeout("slow"), errors.Unavailable, "did not answer in time"),
        (httpx.RemoteProtocolError("gone"), errors.Unavailable, "The connection to http://here broke"),
        (httpx.UnsupportedProtocol("ftp"), errors.Invalid, "is not an address"),
    ],
)
def test_no_answer_is_one_sentence(raised: Exception, kind: type[errors.DynaboardError], words: str) -> None:
    with pytest.raises(kind, match=words), reaching("http://here"):
        raise raised


def test_another_program_at_the_address_is_recognised(gateway: Gateway) -> None:
    with Client(f"{gateway.url}/elsewhere") as client, pytest.raises(errors.NotFound, match="is a Dynaboard at this"):
        client.users.me()


def test_an_answer_of_another_shape_is_told_and_not_a_traceback(gateway: Gateway) -> None:
    gateway.models[0]["surprise"] = 1
    with Client(gateway.url) as client, pytest.raises(errors.PlatformFailure, match="the same version"):
        client.models.all()


def test_a_key_no_header_can_carry_is_refused_before_it_is_sent() -> None:
    with pytest.raises(errors.Unauthorized, match="copy it again"):
        Client("http://127.0.0.1:1", "two words")
