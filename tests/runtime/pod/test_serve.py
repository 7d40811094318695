"""The main container: a model as an evaluator meets it, from the start to the end."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.measurement.samplers import SamplerChoice
from dynaboard.measurement.statistics import time_weighted_mean
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Predictor, RemoteServer, Served, start_server
from dynaboard.runtime.pod import options
from tests.runtime.conftest import LIMITS, Start, statements, write_handler
from tests.runtime.pod.conftest import ECHO, MakePod
from tests.runtime.pod.pods import TOKEN, PodProcess, pack, running, until

TEXTS = statements("a", "something longer", "ünïcode 🌉", "")
GUARDED = [
    ("POST", "/start"),
    ("GET", "/status"),
    ("GET", "/log"),
    ("GET", "/memory"),
    ("POST", "/memory/begin"),
    ("POST", "/memory/end"),
    ("GET", "/hardware"),
    ("GET", "/processor"),
    ("GET", "/reading"),
    ("POST", "/canary"),
    ("POST", "/stop"),
]


@pytest.fixture(scope="module")
def pod(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PodProcess]:
    """One pod whose model is ready, for the tests that leave it so."""
    with running(pack(tmp_path_factory.mktemp("pod"), ECHO)) as pod:
        yield pod


def replies(server: Served) -> list[bytes]:
    """What the model sends, byte for byte."""

    async def ask() -> list[bytes]:
        async with Predictor(server, TASKS["sentiment"], 20) as predictor:
            return [reply.text async for reply in predictor.replies(predictor.encoded(TEXTS, 3))]

    return asyncio.run(ask())


def failure_of(pod: PodProcess) -> ModelFailure:
    """What a model is told that does not start."""
    pod.remote.start()
    with pytest.raises(ModelFailure) as failure:
        pod.remote.wait_ready()
    return failure.value


def test_a_model_is_idle_until_it_is_told_to_start_and_gone_when_it_is_told_to_stop(
    make_pod: MakePod, packed: Path
) -> None:
    pod = make_pod().serve(packed)
    assert pod.remote.control.get("/status")["state"] == "idle"
    assert (pod.call("GET", "/healthz"), pod.call("GET", "/readyz")) == (200, 503)
    pod.remote.start()
    pod.remote.start()
    assert 0 < pod.remote.wait_ready() < 30
    assert pod.remote.wait_ready() == pod.remote.cold_start_s
    assert pod.call("GET", "/readyz") == 200
    assert pod.remote.alive()
    assert replies(pod.remote)
    pod.remote.stop()
    assert pod.exit_status() == options.ENDED
    assert pod.process
    assert pod.process.stdout
    assert "loaded from" in pod.process.stdout.read()
    assert not pod.remote.alive()


def test_predictions_are_those_of_one_machine_byte_for_byte(pod: PodProcess, start: Start) -> None:
    local = start(ECHO)
    local.wait_ready()
    assert replies(pod.remote) == replies(local)


def test_what_the_model_prints_is_its_log(pod: PodProcess) -> None:
    assert pod.remote.log_tail(10_000).endswith(f"loaded from {pod.folder}/model\n")
    assert pod.remote.log_tail(6) == "model\n"


@pytest.mark.parametrize(("method", "target"), GUARDED)
def test_a_call_without_the_token_is_refused(pod: PodProcess, method: str, target: str) -> None:
    assert [pod.call(method, target, token) for token in (None, "wrong", TOKEN[:-1])] == [401] * 3


def test_only_the_probes_answer_anybody(pod: PodProcess) -> None:
    assert [pod.call("GET", target) for target in ("/healthz", "/readyz", "/other")] == [200, 200, 404]
    assert pod.call("PUT", "/archive", TOKEN) == 404


def test_a_token_that_is_wrong_is_our_failure(pod: PodProcess) -> None:
    stranger = RemoteServer(replace(pod.remote.at, token="wrong"), LIMITS)
    with pytest.raises(PlatformFailure, match="refused a call \\(401\\)"):
        stranger.start()
    assert not stranger.alive()
    assert stranger.log_tail(100) == ""


def test_the_token_is_in_no_text_of_its_address(pod: PodProcess) -> None:
    assert TOKEN not in repr(pod.remote.at)


def test_a_memory_run_that_was_not_begun_has_no_end(pod: PodProcess) -> None:
    with pytest.raises(PlatformFailure, match="No memory is being sampled"):
        pod.remote.host.sampler(pod.remote, SamplerChoice(), 10).end()


BROKEN = """
    class Handler:
        def load(self, model_dir):
            raise ValueError("the weights are missing")

        def predict(self, examples):
            return []
"""


def test_a_model_that_cannot_be_loaded_gets_the_sentence_of_one_machine(make_pod: MakePod, tmp_path: Path) -> None:
    local = start_server(write_handler(tmp_path / "m", BROKEN), "handler.py:Handler", tmp_path / "run", LIMITS)
    with pytest.raises(ModelFailure) as told:
        local.wait_ready()
    local.discard()
    pod = make_pod().serve(pack(tmp_path, BROKEN))
    assert failure_of(pod).detail == told.value.detail
    assert "ValueError: the weights are missing" in pod.remote.log_tail(1_000)
    assert not pod.remote.alive()
    pod.remote.stop()
    assert pod.exit_status() == options.MODEL_FAILED
    assert json.loads(pod.termination.read_text()) == {"kind": "model", "detail": told.value.detail}


GREEDY = """
    import time

    class Handler:
        def load(self, model_dir):
            pass

        def predict(self, examples):
            import subprocess, sys
            hog = "x = bytes([1]) * (400 * 1024**2); import time; time.sleep(60)"
            hogs = [subprocess.Popen([sys.executable, "-c", hog]) for _ in range(4)]
            time.sleep(60)
"""


def test_a_model_that_outgrows_its_memory_gets_the_sentence_of_one_machine(make_pod: MakePod, tmp_path: Path) -> None:
    pod = make_pod().serve(pack(tmp_path, GREEDY))
    pod.remote.start()
    pod.remote.wait_ready()
    with pytest.raises(ModelFailure, match="The model needs more than the 1 GiB it may use"):
        replies_checked(pod.remote)
    assert pod.remote.verdict == "The model needs more than the 1 GiB it may use."
    assert until(lambda: not pod.remote.alive())


def replies_checked(server: Served) -> None:
    async def ask() -> None:
        async with Predictor(server, TASKS["sentiment"], 20) as predictor:
            await predictor.predict(TEXTS)

    asyncio.run(ask())


WEIGHTY = """
    class Handler:
        def load(self, model_dir):
            self.weights = bytes([1]) * (200 * 1024**2)

        def predict(self, examples):
            return [{"id": e["id"], "label": "positive"} for e in examples]
"""


def memory_of(server: Served) -> float:
    sampler = server.host.sampler(server, SamplerChoice(), 20)
    sampler.begin()
    for _ in range(20):
        replies(server)
        sampler.take()
    return time_weighted_mean(sampler.end().samples)


def test_memory_is_that_of_one_machine_within_5_percent(tmp_path: Path, start: Start) -> None:
    local = start(WEIGHTY)
    local.wait_ready()
    with running(pack(tmp_path, WEIGHTY)) as pod:
        assert memory_of(pod.remote) == pytest.approx(memory_of(local), rel=0.05)
        assert pod.remote.resident() > 200 * 1024**2


def test_a_pod_that_is_gone_is_told_of_by_its_deployer(make_pod: MakePod) -> None:
    at = make_pod().remote.at
    killed = RemoteServer(at, LIMITS, lambda: ModelFailure("The model needs more memory."))
    assert killed.verdict == "The model needs more memory."
    with pytest.raises(ModelFailure, match="needs more memory"):
        replies_checked(killed)
    lost = RemoteServer(at, LIMITS, lambda: PlatformFailure("Its machine was lost."))
    assert lost.verdict is None
    with pytest.raises(PlatformFailure, match="Its machine was lost"):
        replies_checked(lost)
    unknown = RemoteServer(at, LIMITS)
    with pytest.raises(PlatformFailure, match="does not answer"):
        replies_checked(unknown)
