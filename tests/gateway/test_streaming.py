"""Bodies pass through a piece at a time, as fast as they are read and no faster."""

import gc
import hashlib
import threading
import time
import tracemalloc
from collections.abc import Iterator

import httpx
import pytest

from dynaboard.identity import Role
from tests.gateway.conftest import World
from tests.gateway.echo import PIECE
from tests.serving import until

MIB = 1024**2
SIZE = 64 * MIB
PARTS = f"/submissions/{'0' * 32}/parts"


class Pieces:
    """A body of SIZE bytes that counts how much of it was asked for."""

    def __init__(self) -> None:
        self.sent = 0

    def __iter__(self) -> Iterator[bytes]:
        while self.sent < SIZE:
            self.sent += len(PIECE)
            yield PIECE


@pytest.fixture
def submitter(world: World) -> Iterator[dict[str, str]]:
    world.upload.hold.clear()
    yield world.headers(Role.SUBMITTER) | {"content-length": str(SIZE)}
    world.upload.hold.set()


def test_an_upload_of_64_mib_passes_in_little_memory(
    http: httpx.Client, submitter: dict[str, str], world: World
) -> None:
    http.get("/tasks")
    gc.collect()
    tracemalloc.start()
    try:
        told = http.put(f"{PARTS}/1", headers=submitter | {"x-sha256": "0" * 64}, content=Pieces()).json()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (told["size"], told["sha256"]) == (SIZE, hashlib.sha256(bytes(SIZE)).hexdigest())
    assert (told["headers"]["content-length"], told["headers"]["x-sha256"]) == (str(SIZE), "0" * 64)
    assert "transfer-encoding" not in told["headers"]
    # The client's, the gateway's and the service's share together.
    assert peak < 4 * MIB


def test_a_service_that_does_not_read_holds_up_the_client(
    http: httpx.Client, submitter: dict[str, str], world: World
) -> None:
    body, answers = Pieces(), []
    sending = threading.Thread(
        target=lambda: answers.append(http.put(f"{PARTS}/2", headers=submitter, content=body).json())
    )
    sending.start()
    last, since = -1, time.monotonic()

    def stalled() -> bool:
        nonlocal last, since
        if body.sent != last:
            last, since = body.sent, time.monotonic()
        return body.sent > 0 and time.monotonic() - since > 0.5

    until(stalled)
    held_up_at = body.sent
    world.upload.hold.set()
    sending.join(30)
    # What the kernel's buffers of two connections hold.
    assert held_up_at < SIZE / 2
    assert answers[0]["size"] == SIZE


def test_an_early_refusal_reaches_the_client(http: httpx.Client, submitter: dict[str, str]) -> None:
    response = http.put(f"{PARTS}/3", headers=submitter, content=Pieces())
    assert (response.status_code, response.json()["detail"]) == (409, "It takes no more parts.")


def test_a_client_that_breaks_off_an_upload_breaks_it_off_for_the_service(
    http: httpx.Client, submitter: dict[str, str], world: World
) -> None:
    def pieces() -> Iterator[bytes]:
        yield PIECE
        raise KeyError

    before = world.upload.broken_off
    with pytest.raises(KeyError):
        http.put(f"{PARTS}/1", headers=submitter, content=pieces())
    until(lambda: world.upload.broken_off == before + 1)


def test_a_download_is_fetched_no_faster_than_it_is_read(http: httpx.Client, world: World) -> None:
    world.upload.produced = 0
    url, headers = f"/submissions/{'0' * 32}/archive", world.headers(Role.READER)
    with http.stream("GET", url, headers=headers) as response:
        pieces = response.iter_raw(len(PIECE))
        next(pieces)
        assert response.headers["content-length"] == str(SIZE)
        assert world.upload.produced < SIZE / 2
        assert len(PIECE) + sum(map(len, pieces)) == SIZE


def test_events_pass_as_they_come(http: httpx.Client, world: World) -> None:
    world.scoring.hold.clear()
    with http.stream("GET", "/leaderboards/nli/events") as response:
        lines = response.iter_lines()
        assert response.headers["content-type"].startswith("text/event-stream")
        assert [next(lines) for _ in range(2)] == ["event: board", "data: 1"]
        # The service sends the second only now, so the first was not held back for it.
        world.scoring.hold.set()
        assert [next(lines) for _ in range(3)] == ["", "event: board", "data: 2"]


def test_a_watcher_who_leaves_is_gone_at_the_service_too(http: httpx.Client, world: World) -> None:
    until(lambda: world.scoring.watching == 0)
    with http.stream("GET", "/leaderboards/nli/events") as response:
        lines = response.iter_lines()  # kept: the stream is closed with it
        next(lines)
        until(lambda: world.scoring.watching == 1)
    until(lambda: world.scoring.watching == 0)
