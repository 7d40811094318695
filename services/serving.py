"""Serves applications in one event loop until a signal asks the process to end, and then in good order.

At the signal all are unready and give their jobs away; `drain_s` later they stop listening, end their streams, finish
what is under way, and close. A second signal ends the wait.
"""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterator, Sequence

import uvicorn
from fastapi import FastAPI

from dynaboard.draining import Draining
from dynaboard.settings import Settings


class Server(uvicorn.Server):
    """A uvicorn server that leaves the signals to us: four of them share one process."""

    def __init__(self, app: FastAPI, listening: socket.socket, finish_s: float) -> None:
        # uvicorn counts whole seconds, and 0 as none at all.
        finish = max(1, round(finish_s))
        super().__init__(
            uvicorn.Config(
                app, log_config=None, access_log=False, timeout_graceful_shutdown=finish, server_header=False
            )
        )
        self.draining: Draining = app.state.draining
        self.listening = listening

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Nothing to capture."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams once nobody can connect any more: whoever watched goes on elsewhere. Then as uvicorn does."""
        for server in self.servers:
            server.close()
        self.draining.closing.arrive()
        await super().shutdown(sockets)


async def serve(servers: Sequence[Server], settings: Settings) -> None:
    """Run until SIGINT or SIGTERM, or until one of them ends. Raises RuntimeError when one did not start."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        for server in servers:
            server.should_exit = True

    def leave() -> None:
        if any(server.draining.leaving.come for server in servers):
            end()
        for server in servers:
            server.draining.leaving.arrive()
        loop.call_later(settings.drain_s, end)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, leave)
    running = [asyncio.create_task(server.serve(sockets=[server.listening])) for server in servers]
    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    end()
    await asyncio.gather(*running)
    if not all(server.started for server in servers):
        raise RuntimeError("a service did not start; the lines above say why")
