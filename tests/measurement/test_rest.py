"""A model that works while it is not asked slows the reference, and is found out."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement import PROFILES, Endpoint, Measurement, measure, reference_models
from dynaboard.measurement.blocks import Block, Pair
from dynaboard.measurement.reference import connected
from dynaboard.measurement.rest import rest_of
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Limits, ModelServer, Predictor, start_server

SENTIMENT = TASKS["sentiment"]
EXAMPLES = [{"id": str(n), "statement": "word " * (n % 50)} for n in range(200)]
PAIRS = [Pair((Block(0.2 * n, 0.1, 50),), (Block(0.2 * n + 0.1, 0.1, 20),)) for n in range(10)]
ALONE = Block(0.0, 0.4, 200)
# A millisecond of work an example; what `TIRELESS` adds, a thread does for a tenth of a second after each
# request: for the whole of any turn of the reference's that follows.
HONEST = """
import threading, time

def work(until):
    while time.thread_time() < until:
        pass

class Handler:
    idle_since = 0.0

    def load(self, model_dir):
        THREAD

    def predict(self, examples):
        self.idle_since = float("inf")
        work(time.thread_time() + 0.001 * len(examples))
        self.idle_since = time.monotonic()
        return [{"id": e["id"], "label": "positive"} for e in examples]

    def spin(self):
        while True:
            if not 0.002 < time.monotonic() - self.idle_since < 0.1:
                time.sleep(0.001)
"""
TIRELESS = HONEST.replace("THREAD", "threading.Thread(target=self.spin, daemon=True).start()")
Measure = Callable[[str], Measurement]


def rest(used_s: float, alone_s: float, threads: int = 1) -> bool:
    """Whether that is restless."""
    return rest_of(PAIRS, used_s, ALONE, alone_s, threads).restless


def test_who_uses_what_its_examples_take_rests() -> None:
    assert rest_of(PAIRS, 0.8, ALONE, 0.32, 1).needed_s == pytest.approx(0.8)
    assert not rest(used_s=0.8, alone_s=0.32)
    assert not rest(used_s=0.97, alone_s=0.32)


def test_who_works_in_a_fifth_of_the_references_turns_does_not() -> None:
    assert rest(used_s=1.0, alone_s=0.32)


def test_who_spins_in_the_block_alone_too_is_held_to_the_processors_it_may_have() -> None:
    assert rest(used_s=2.0, alone_s=0.8)
    assert not rest(used_s=2.0, alone_s=0.8, threads=2)


@given(st.floats(0, 10), st.floats(0.001, 1), st.integers(1, 4))
def test_who_uses_less_is_never_less_at_rest(used_s: float, alone_s: float, threads: int) -> None:
    assert rest(used_s + 1, alone_s, threads) or not rest(used_s, alone_s, threads)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """Measure a handler beside the reference."""

    def run(source: str) -> Measurement:
        folder: Path = tmp_path_factory.mktemp("model")
        (folder / "handler.py").write_text(source)
        server = start_server(folder, "handler.py:Handler", folder / "run", Limits())
        reference = reference_models.start_reference(folder / "reference", Limits())
        try:
            return asyncio.run(_measured(server, reference))
        finally:
            server.discard()
            reference.discard()

    async def _measured(server: ModelServer, reference: ModelServer) -> Measurement:
        server.wait_ready()
        reference.wait_ready()
        async with Predictor(server, SENTIMENT, 10) as predictor, connected(reference, SENTIMENT) as beside:
            profile = replace(PROFILES["quick"], pair_s=0.2)
            return await measure(Endpoint(server, predictor, 16), beside, EXAMPLES, profile)

    return run


def test_an_honest_model_rests(measured: Measure) -> None:
    assert "restless" not in measured(HONEST.replace("THREAD", "pass")).flags


def test_a_thread_that_works_in_the_references_turns_is_found(measured: Measure) -> None:
    found = measured(TIRELESS)
    assert "restless" in found.flags
    assert found.rest.used_s > 1.2 * found.rest.needed_s
