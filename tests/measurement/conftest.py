"""Real models, and one quick measurement of a model beside the reference, wherever the two run."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from dynaboard.measurement import PROFILES, Endpoint, Measurement, measure
from dynaboard.measurement.reference import connected, rated
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Limits, ModelServer, Predictor, start_server
from dynaboard.runtime.served import Served

SENTIMENT = TASKS["sentiment"]
QUICK = PROFILES["quick"]
EXAMPLES = [{"id": str(n), "statement": "word " * (n % 50)} for n in range(200)]
Start = Callable[[str], ModelServer]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start a model from its handler's source."""
    with ExitStack() as started:

        def one(source: str) -> ModelServer:
            folder: Path = tmp_path_factory.mktemp("model")
            (folder / "handler.py").write_text(source)
            server = start_server(folder, "handler.py:Handler", folder / "run", Limits())
            started.callback(server.discard)
            server.wait_ready()
            return server

        yield one


def quickly_measured(candidate: Served, reference: Served) -> Measurement:
    """A quick measurement; the reference's rating is found in a third of a second."""

    async def run() -> Measurement:
        async with Predictor(candidate, SENTIMENT, 10) as predictor, connected(reference, SENTIMENT) as beside:
            rating = await rated(beside, replace(QUICK, rating_s=0.3))
            rated_reference = replace(beside, rating=rating.value)
            return await measure(Endpoint(candidate, predictor, 16), rated_reference, EXAMPLES, QUICK)

    return asyncio.run(run())
