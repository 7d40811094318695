"""Is our driver ever the bottleneck? Its examples/s over those of wrk, the fastest client we know.

Both send the same payload to the same endpoint over as many connections, in turns, so that both meet the same noise.
Run on an idle machine (the interval tells whether it was): `python tests/benchmarks/bench_driver.py`.
"""

import asyncio
import itertools
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from dynaboard.contract import wire_examples
from dynaboard.measurement.statistics import median_interval
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Limits, ModelServer, Predictor
from dynaboard.runtime.sandbox import worker_plan
from dynaboard.runtime.server import launch

TARGET = 0.95
ROUNDS, SECONDS, BATCH = 15, 1, 32
SENTIMENT = TASKS["sentiment"]
EXAMPLES = [{"id": f"e{n}", "statement": f"a film of {n} words, most of them kind " * 3} for n in range(BATCH)]
# Answers at once, and with probabilities: the hardest model for a driver to keep up with.
ECHO = """
PROB = {"positive": 0.5, "negative": 0.25, "neutral": 0.25}

class Handler:
    def load(self, model_dir):
        pass

    def predict(self, examples):
        return [{"id": e["id"], "label": "positive", "prob": PROB} for e in examples]
"""
# As quick as a fastText classifier: 50 µs of work an example.
QUICK = ECHO.replace(
    "        return", "        import time; end = time.perf_counter() + 50e-6 * len(examples)\n"
    "        while time.perf_counter() < end: pass\n        return"
)  # fmt: skip


@pytest.fixture(params=[ECHO, QUICK], ids=["echo", "50 us an example"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ModelServer]:
    if not shutil.which("wrk"):
        pytest.skip("wrk is not installed: apt-get install wrk")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "handler.py").write_text(request.param)
    plan = worker_plan(tmp_path / "model", "handler.py:Handler", tmp_path / "run", Limits())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = launch(plan, tmp_path / "run", Limits(), f"http://127.0.0.1:{port}")
    server.wait_ready()
    yield server
    server.discard()


def wrk(server: ModelServer, script: Path, connections: int) -> float:
    """Examples/s that wrk gets."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "-s", str(script)]
    said = subprocess.run([*command, f"{server.address}/predictions/model"], capture_output=True, text=True, check=True)
    assert "Non-2xx" not in said.stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", said.stdout)
    assert found
    return float(found[1]) * BATCH


def on_the_clock(server: ModelServer, connections: int) -> float:
    """Examples/s as a measurement takes them: requests encoded before, answers checked after."""

    async def run() -> float:
        async with Predictor(server, SENTIMENT, 10) as predictor:
            batches, began, finished = list(predictor.encoded(EXAMPLES, BATCH)), time.perf_counter(), 0
            async with aclosing(predictor.replies(itertools.cycle(batches), connections)) as replies:
                while time.perf_counter() - began < SECONDS:
                    reply = await anext(replies)
                    assert reply.status == 200
                    finished += BATCH
            return finished / (time.perf_counter() - began)

    return asyncio.run(run())


def streamed(server: ModelServer, connections: int) -> float:
    """Examples/s as an evaluation takes them: encoded and checked under way."""

    async def run() -> float:
        async with Predictor(server, SENTIMENT, 10) as predictor:
            began, finished = time.perf_counter(), 0
            async with aclosing(predictor.stream(itertools.cycle(EXAMPLES), BATCH, connections)) as stream:
                while time.perf_counter() - began < SECONDS:
                    finished += len(await anext(stream))
            return finished / (time.perf_counter() - began)

    return asyncio.run(run())


@pytest.mark.parametrize("connections", [1, 4, 16])
def test_the_drivers_share_of_wrk(server: ModelServer, connections: int, tmp_path: Path) -> None:
    script = tmp_path / "post.lua"
    payload = json.dumps(wire_examples(SENTIMENT, EXAMPLES))
    headers = 'wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\n'
    script.write_text(f"{headers}wrk.body = [==[{payload}]==]\n")
    wrk(server, script, connections)
    clients: dict[str, Callable[[], float]] = {
        "on the clock": lambda: on_the_clock(server, connections),
        "wrk": lambda: wrk(server, script, connections),
        "streamed": lambda: streamed(server, connections),
    }
    rounds = [{name: client() for name, client in clients.items()} for _ in range(ROUNDS)]
    rates = {name: statistics.median(each[name] for each in rounds) for name in clients}
    ratios = {name: [each[name] / each["wrk"] for each in rounds] for name in ("on the clock", "streamed")}
    told = {name: (statistics.median(each), *median_interval(each)) for name, each in ratios.items()}
    shown = [
        f"{name} {rates[name]:,.0f}/s, {told[name][0]:.3f} [{told[name][1]:.3f}, {told[name][2]:.3f}]" for name in told
    ]
    shown = [f"wrk {rates['wrk']:,.0f}/s", *shown]
    print(f"\n{connections} connections: {'; '.join(shown)}; target {TARGET} of wrk on the clock")


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-s", "--no-header", __file__]))
