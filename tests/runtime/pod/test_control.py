"""The control port on its own: who may connect, and what is understood."""

import http.client
import io
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import Message

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.runtime.control import Control, PodAddress, Unreachable, failure_in
from dynaboard.runtime.pod.control import MOST_CONNECTIONS, Call, ControlServer, Route, Said, streamed
from tests.runtime.pod.pods import until


def fail(call: Call) -> Said:
    raise ModelFailure("The model is a teapot.")


ROUTES = {
    ("GET", "/open"): Route(lambda call: Said(200, {"query": dict(call.query)}), guarded=False),
    ("POST", "/echo"): Route(lambda call: Said(200, {"body": dict(call.body)})),
    ("PUT", "/length"): Route(lambda call: Said(200, {"length": sum(map(len, call.stream))})),
    ("POST", "/fail"): Route(fail),
}


@pytest.fixture
def server() -> Iterator[ControlServer]:
    server = ControlServer("127.0.0.1:0", "token", ROUTES)
    server.begin()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def control(server: ControlServer) -> Control:
    return Control(PodAddress("p", f"http://127.0.0.1:{server.server_address[1]}", "", "token"))


def test_calls_are_answered(control: Control) -> None:
    assert control.get("/open?a=1") == {"query": {"a": "1"}}
    assert control.post("/echo", {"b": [2]}) == {"body": {"b": [2]}}
    assert control.put("/length", (b"x" * 70_000 for _ in range(3)), 5) == {"length": 210_000}


def test_a_failure_comes_through_as_what_it_was(control: Control) -> None:
    with pytest.raises(ModelFailure, match="teapot"):
        control.post("/fail")


def test_an_answer_without_end_is_the_platforms_failure(control: Control, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dynaboard.runtime.control.LONGEST", 100)
    assert control.post("/echo", {"b": "x" * 50})
    with pytest.raises(PlatformFailure, match="does not end its answer"):
        control.post("/echo", {"b": "x" * 100})


def test_nobody_there_is_the_platforms_failure() -> None:
    with pytest.raises(Unreachable, match="The model's pod p does not answer"):
        Control(PodAddress("p", "http://127.0.0.1:9", "", "token")).get("/open")


@pytest.mark.parametrize("body", [b"[1]", b"{", b"\xff", b"1" * 70_000])
def test_nonsense_is_refused(server: ControlServer, body: bytes) -> None:
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=5)  # type: ignore[arg-type]
    connection.request("POST", "/echo", body, {"Authorization": "Bearer token"})
    assert connection.getresponse().status == 400
    connection.close()


def test_an_address_has_so_many_connections_and_those_of_the_pod_itself_are_one(
    server: ControlServer, control: Control
) -> None:
    with ExitStack() as open_ones:
        for number in range(MOST_CONNECTIONS):
            caller = open_ones.enter_context(socket.socket())
            caller.bind((f"127.0.0.{number + 2}", 0))
            caller.connect(server.server_address[:2])
        assert all(_refused(control) for _ in range(3))
    assert until(lambda: not _refused(control))


def _refused(control: Control) -> bool:
    try:
        return control.get("/open", 5) != {"query": {}}
    except Unreachable:
        return True


@given(st.lists(st.binary(max_size=50), max_size=5))
def test_a_stream_in_chunks_is_what_was_sent(blocks: list[bytes]) -> None:
    wire = b"".join(b"%x\r\n%b\r\n" % (len(block), block) for block in blocks if block) + b"0\r\n\r\n"
    headers = Message()
    headers["Transfer-Encoding"] = "chunked"
    assert b"".join(streamed(io.BytesIO(wire), headers)) == b"".join(blocks)


@given(st.binary(min_size=1, max_size=50), st.data())
def test_a_stream_that_breaks_off_is_an_error(block: bytes, data: st.DataObject) -> None:
    wire = b"%x\r\n%b\r\n0\r\n\r\n" % (len(block), block)
    cut = data.draw(st.integers(0, len(wire) - 5))
    headers = Message()
    headers["Transfer-Encoding"] = "chunked"
    with pytest.raises(ValueError, match=r"broke off|invalid literal"):
        list(streamed(io.BytesIO(wire[:cut]), headers))


def test_a_stream_of_known_length_is_read_to_its_end() -> None:
    headers = Message()
    headers["Content-Length"] = "3"
    assert b"".join(streamed(io.BytesIO(b"abcd"), headers)) == b"abc"


@given(st.dictionaries(st.text(max_size=8), st.one_of(st.none(), st.text(), st.integers())))
def test_whatever_a_pod_says_of_a_failure_is_one_or_none(said: dict[str, object]) -> None:
    assert failure_in({"failure": said}) is not None
    assert failure_in({"failure": None}) is None
    assert isinstance(failure_in({"failure": {"kind": "platform", "detail": "d"}}), PlatformFailure)
