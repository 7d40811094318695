"""Services as an operator runs several of each: processes of their own, behind a load balancer that asks /readyz."""

import asyncio
import http.client
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dynaboard.embedded import free_port

ROOT = Path(__file__).parents[2]
LOOK_S = 0.2
# A service as the operator runs it, with the tests' short measurement.
PROGRAM = """
import sys
from dynaboard.measurement import PROFILES
from services.__main__ import main
from tests.evaluator.conftest import TINY
PROFILES[TINY.name] = TINY
main(sys.argv[1:])
"""


@dataclass
class Replica:
    """One process of one service."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def is_ready(self) -> bool:
        """What a load balancer would find."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        """As `kill -9`."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Ask it to end, and wait until it has."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


class Balancer:
    """Spreads connections over the replicas that are ready, one after the other. Knows nothing of HTTP."""

    def __init__(self) -> None:
        self.replicas: list[Replica] = []
        self._ready: list[Replica] = []
        self._turn = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server, self._looking = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def knows_all(self) -> bool:
        """Whether it sends to every replica that has not ended."""
        return {one.port for one in self.replicas if one.process.poll() is None} == {one.port for one in self._ready}

    def close(self) -> None:
        """Hang up on everybody."""

        async def stop() -> None:
            self._server.close()
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()

        asyncio.run_coroutine_threadsafe(stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> tuple[asyncio.Server, asyncio.Task[None]]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return server, asyncio.create_task(self._look())

    async def _look(self) -> None:
        while True:
            replicas = list(self.replicas)
            found = await asyncio.gather(*(asyncio.to_thread(replica.is_ready) for replica in replicas))
            self._ready = [replica for replica, ready in zip(replicas, found, strict=True) if ready]
            await asyncio.sleep(LOOK_S)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.CancelledError):
            inner_reader, inner_writer = await self._connect()
            await asyncio.gather(_pipe(reader, inner_writer), _pipe(inner_reader, writer))
        writer.close()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        ready = self._ready
        for _ in ready:
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", ready[next(self._turn) % len(ready)].port)
        raise ConnectionRefusedError


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


@dataclass
class Installation:
    """Replicas of services that share a database and a store, each service behind a balancer of its own."""

    values: dict[str, Any]
    log: Path
    balancers: dict[str, Balancer] = field(
        default_factory=lambda: {name: Balancer() for name in ("gateway", "upload", "evaluator", "scoring")}
    )
    started: list[Replica] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The door of all gateways."""
        return self.balancers["gateway"].url

    def start(self, name: str, **values: Any) -> Replica:
        """One more process of a service; use `wait_ready` before relying on it."""
        port = free_port()
        data_dir = Path(self.values["data_dir"]) / (name if name == "evaluator" else f"{name}-{port}")
        urls = {f"{service}_url": balancer.url for service, balancer in self.balancers.items() if service != "gateway"}
        settings = {**self.values, **urls, "data_dir": data_dir, "port": port, **values}
        environment = {f"DYNABOARD_{key.upper()}": str(value) for key, value in settings.items()}
        with self.log.open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, name],
                env=os.environ | environment | {"PYTHONPATH": "shared:."},
                cwd=ROOT,
                stdout=output,
                stderr=output,
            )
        replica = Replica(process, port)
        self.started.append(replica)
        self.balancers[name].replicas.append(replica)
        return replica

    def wait_ready(self) -> None:
        """Until every replica that has not ended is ready, and its balancer knows."""
        for one in self.started:
            until(lambda one=one: one.process.poll() is not None or one.is_ready(), 120)  # type: ignore[misc]
        until(lambda: all(balancer.knows_all() for balancer in self.balancers.values()))

    def close(self) -> None:
        """End everything at once."""
        for replica in self.started:
            replica.kill()
        for balancer in self.balancers.values():
            balancer.close()


@contextmanager
def installation(values: dict[str, Any], log: Path) -> Iterator[Installation]:
    """An installation without a single process yet."""
    made = Installation(values, log)
    try:
        yield made
    finally:
        made.close()


def until(true: Callable[[], object], seconds: float = 60) -> None:
    """Poll until something is so. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(LOOK_S / 2)
