"""Our HTTP: what it makes of answers, whole, broken and strange, over a real socket."""

import asyncio
from pathlib import Path

import pytest

from dynaboard.runtime.connection import LONGEST_HEAD, Connection

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"


def exchange(folder: Path, *answers: bytes) -> list[tuple[int, bytes]]:
    """Send one request for each of these raw answers over one Connection; the server hangs up after an empty one."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0]))
            for piece in (answer[:10], answer[10:]):  # an answer may arrive in pieces
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
        writer.close()

    async def run() -> list[tuple[int, bytes]]:
        received = []
        async with await asyncio.start_unix_server(serve, folder / "s"):
            connection = Connection(f"unix:{folder / 's'}")
            try:
                for _ in answers:
                    await connection.open()
                    connection.send(b"/predictions/model", b"[]")
                    received.append(await connection.receive())
            finally:
                connection.close()
        return received

    return asyncio.run(run())


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("s")


def test_requests_follow_one_another_on_one_connection(folder: Path) -> None:
    assert exchange(folder, ANSWER, ANSWER.replace(b"body", b"next")) == [(200, b"body"), (200, b"next")]


def test_any_status_is_returned_with_its_body(folder: Path) -> None:
    assert exchange(folder, b"HTTP/1.1 503 Busy\r\ncontent-length:0\r\n\r\n") == [(503, b"")]


def test_a_hang_up_within_an_answer_is_an_error(folder: Path) -> None:
    with pytest.raises(EOFError):
        exchange(folder, ANSWER[:-1])


def test_an_answer_without_a_length_is_an_error(folder: Path) -> None:
    with pytest.raises(ValueError, match="without a length"):
        exchange(folder, b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")


def test_an_answer_too_long_to_hold_is_an_error_before_it_comes(folder: Path) -> None:
    with pytest.raises(ValueError, match="an answer of 1000000000000 bytes"):
        exchange(folder, b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")


def test_a_head_without_end_is_an_error(folder: Path) -> None:
    with pytest.raises(ValueError, match="an endless head"):
        exchange(folder, b"HTTP/1.1 200 OK\r\nx: " + b"x" * LONGEST_HEAD * 3)


def test_nobody_listening_is_an_error(folder: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        asyncio.run(Connection(f"unix:{folder / 'nobody'}").open())


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_server_is_reached_at_any_kind_of_address(host: str) -> None:
    async def run() -> tuple[int, bytes]:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"[]")
            writer.write(ANSWER)
            writer.close()

        async with await asyncio.start_server(serve, host, 0) as server:
            port = server.sockets[0].getsockname()[1]
            connection = Connection(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
            await connection.open()
            connection.send(b"/predictions/model", b"[]")
            try:
                return await connection.receive()
            finally:
                connection.close()

    assert asyncio.run(run()) == (200, b"body")
