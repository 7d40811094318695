"""Real TorchServe servers for handlers written in the tests."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import Any, Protocol

import pytest

from dynaboard.contract import Answer
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Limits, ModelServer, Predictor, start_server

# Small sizes, so that a careless model meets them soon; long times, so that a busy machine does not.
LIMITS = Limits(memory_bytes=1024**3, processes=16, scratch_bytes=8 * 1024**2)
IMPATIENT = replace(LIMITS, startup_s=3, predict_s=2)
SENTIMENT = TASKS["sentiment"]


class Start(Protocol):
    """Starts a handler given as source."""

    def __call__(self, source: str, limits: Limits = LIMITS) -> ModelServer: ...


def write_handler(folder: Path, source: str) -> Path:
    """A submitter's folder with this handler."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "handler.py").write_text(dedent(source))
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a handler given as source; everything started is stopped and its traces removed."""
    servers: list[ModelServer] = []

    def started(source: str, limits: Limits = LIMITS) -> ModelServer:
        folder = write_handler(tmp_path / f"model{len(servers)}", source)
        servers.append(start_server(folder, "handler.py:Handler", tmp_path / f"run{len(servers)}", limits))
        return servers[-1]

    yield started
    for server in servers:
        server.discard()


def statements(*texts: str) -> list[dict[str, Any]]:
    """Sentiment examples with these texts and the ids s1, s2, …"""
    return [{"id": f"s{index}", "statement": text, "label": "positive"} for index, text in enumerate(texts, 1)]


def predict(server: ModelServer, examples: Sequence[Mapping[str, Any]]) -> list[Answer]:
    """One request, from outside an event loop."""

    async def ask() -> list[Answer]:
        async with Predictor(server, SENTIMENT, server.limits.predict_s) as predictor:
            return await predictor.predict(examples)

    return asyncio.run(ask())
