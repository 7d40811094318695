"""The driver: order, bounds, and an author's mistakes found on our side."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from dynaboard.contract import Answer
from dynaboard.errors import ModelFailure
from dynaboard.runtime import ModelServer, Predictor, start_server
from tests.runtime.conftest import LIMITS, SENTIMENT, statements, write_handler

# Answers in reverse, and fails on the statement "fail".
BACKWARDS = """
    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            if any(e["statement"] == "fail" for e in examples):
                raise ValueError("as asked")
            return [{"id": e["id"], "label": e["statement"].split()[0]} for e in reversed(examples)]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    folder = tmp_path_factory.mktemp("backwards")
    server = start_server(write_handler(folder / "model", BACKWARDS), "handler.py:Handler", folder / "run", LIMITS)
    server.wait_ready()
    yield server
    server.discard()


async def answers_of(server: ModelServer, examples: Iterator[Mapping[str, Any]], batch_size: int) -> list[list[Answer]]:
    async with Predictor(server, SENTIMENT, LIMITS.predict_s) as predictor:
        return [answers async for answers in predictor.stream(examples, batch_size)]


def test_a_stream_keeps_the_order_of_its_examples(server: ModelServer) -> None:
    examples = statements(*(f"{label} {n}" for n in range(35) for label in SENTIMENT.labels))
    batches = asyncio.run(answers_of(server, iter(examples), 10))
    assert [len(batch) for batch in batches] == [10] * 10 + [5]
    assert [(a.id, a.value) for batch in batches for a in batch] == [
        (example["id"], example["statement"].split()[0]) for example in examples
    ]


def test_a_stream_reads_no_further_ahead_than_what_is_in_flight(server: ModelServer) -> None:
    taken = 0

    def counted() -> Iterator[dict[str, Any]]:
        nonlocal taken
        for example in statements(*["positive"] * 1_000):
            taken += 1
            yield example

    async def first_batches() -> None:
        async with Predictor(server, SENTIMENT, LIMITS.predict_s) as predictor:
            stream = predictor.stream(counted(), 10, in_flight=3)
            for finished in range(1, 4):
                await anext(stream)
                assert taken <= (finished + 4) * 10  # three in flight, one encoded ahead
            await stream.aclose()

    asyncio.run(first_batches())


def test_a_failure_in_a_stream_comes_after_the_batches_before_it(server: ModelServer) -> None:
    finished: list[Answer] = []

    async def read() -> None:
        async with Predictor(server, SENTIMENT, LIMITS.predict_s) as predictor:
            async for answers in predictor.stream(statements(*["positive"] * 25, "fail"), 10):
                finished.extend(answers)

    with pytest.raises(ModelFailure, match="ValueError: as asked"):
        asyncio.run(read())
    assert len(finished) == 20


def test_a_server_is_asked_off_the_event_loop_whether_it_killed_the_model(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_by: list[threading.Thread] = []

    def verdict(_: ModelServer) -> str:
        asked_by.append(threading.current_thread())
        return "The model was killed."

    monkeypatch.setattr(ModelServer, "verdict", property(verdict))
    with pytest.raises(ModelFailure, match="The model was killed"):
        asyncio.run(answers_of(server, iter(statements("fail")), 1))
    assert asked_by
    assert threading.main_thread() not in asked_by


def test_an_empty_stream_has_no_batches(server: ModelServer) -> None:
    assert asyncio.run(answers_of(server, iter([]), 10)) == []


def test_the_position_in_the_stream_is_told_beside_the_id(server: ModelServer) -> None:
    examples = statements(*["positive"] * 12, "mixed")
    with pytest.raises(ModelFailure, match=r"Example s13 \(number 13\): the label 'mixed' is not one of"):
        asyncio.run(answers_of(server, iter(examples), 5))
