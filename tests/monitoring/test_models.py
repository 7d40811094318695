"""What the series say of model servers: how they started, what killed them, and which run, by purpose."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import REGISTRY

from dynaboard.database import Database
from dynaboard.errors import ModelFailure, NotFound, PlatformFailure
from dynaboard.runtime.limits import GIB
from dynaboard.storage import Storage
from services.evaluator.app import make_bench
from services.evaluator.archives import Archive
from services.evaluator.bench import Bench
from services.evaluator.deployers import Deployment
from services.evaluator.deployers.purpose import EVALUATED
from services.evaluator.interactive import Interactive
from services.evaluator.running_models import RunningModels, timed
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.world import GOOD, SENTIMENT, World, statements

UNLOADABLE = GOOD.replace('print("loaded and well")', 'raise OSError("weights.bin is not there")')
# Grows in predict() until the watchdog sees it.
HUNGRY = GOOD.replace(
    'return [{"id"',
    "import time; self.taken = [bytearray(2**26) for _ in range(64) if time.sleep(0.05) is None]\n"
    '            return [{"id"',
)


@pytest.fixture
def bench(platform: dict[str, Any], database: Database, storage: Storage) -> Iterator[Bench]:
    """An evaluator's parts; its models may use a quarter of a GiB."""
    settings = EvaluatorSettings(**platform, model_memory_bytes=GIB // 4, interactive_idle_s=60)
    bench = make_bench(settings, database)
    yield bench
    bench.slot.close()


@pytest.fixture
def world(database: Database, storage: Storage) -> World:
    """Where models are handed in."""
    return World(database, storage)


def started(bench: Bench, world: World, handler: str) -> Deployment:
    submission_id = world.submit(handler, queue=False)
    return bench.deployer.start(Archive(submission_id, world.submission(submission_id).digest or ""), EVALUATED)


def run(deployment: Deployment) -> None:
    deployment.fetch()
    deployment.wait_ready()


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def starts(outcome: str) -> float:
    return value("dynaboard_deployments_total", deployer="local", outcome=outcome)


def ask(deployment: Deployment) -> None:
    async def put() -> None:
        async with timed(deployment.predictor(SENTIMENT), EVALUATED) as predictor:
            await predictor.predict(statements(3))

    asyncio.run(put())


def test_a_running_model_is_counted_with_its_memory_and_its_requests_are_timed(bench: Bench, world: World) -> None:
    before, ready = starts("ready"), value("dynaboard_deployment_ready_seconds_count", deployer="local")
    requests = value("dynaboard_model_request_seconds_count", purpose="evaluation")
    deployment = started(bench, world, GOOD)
    bench.models.add(deployment, EVALUATED)
    try:
        assert value("dynaboard_models_running", purpose="evaluation") == 1
        assert value("dynaboard_model_memory_bytes", purpose="evaluation") == 0  # not ready yet
        run(deployment)
        ask(deployment)
        assert 2**20 < value("dynaboard_model_memory_bytes", purpose="evaluation") < GIB
    finally:
        bench.models.remove(deployment, EVALUATED)
        deployment.stop()
    assert value("dynaboard_models_running", purpose="evaluation") == 0
    assert value("dynaboard_model_memory_bytes", purpose="evaluation") == 0
    assert starts("ready") == before + 1
    assert value("dynaboard_deployment_ready_seconds_count", deployer="local") == ready + 1
    assert value("dynaboard_model_request_seconds_count", purpose="evaluation") == requests + 1


def test_a_start_that_fails_by_the_models_fault_is_told_apart(bench: Bench, world: World) -> None:
    before = starts("model")
    deployment = started(bench, world, UNLOADABLE)
    with pytest.raises(ModelFailure):
        run(deployment)
    deployment.stop()
    assert starts("model") == before + 1


def test_a_model_without_an_archive_is_the_platforms_fault(bench: Bench) -> None:
    before = starts("platform")
    deployment = bench.deployer.start(Archive("nobody-sent-it", "0" * 64), EVALUATED)
    with pytest.raises(NotFound):
        run(deployment)
    deployment.stop()
    assert starts("platform") == before + 1


def test_a_model_stopped_while_it_starts_is_nobodys_fault(bench: Bench, world: World) -> None:
    before, platform = starts("stopped"), starts("platform")
    deployment = started(bench, world, GOOD)
    deployment.stop()
    with pytest.raises(PlatformFailure):
        run(deployment)
    assert (starts("stopped"), starts("platform")) == (before + 1, platform)


def test_a_model_killed_for_its_memory_is_counted_once(bench: Bench, world: World) -> None:
    before = value("dynaboard_watchdog_kills_total", reason="memory")
    deployment = started(bench, world, HUNGRY)
    run(deployment)
    with pytest.raises(ModelFailure, match="needs more than"):
        ask(deployment)
    deployment.stop()
    deployment.stop()
    assert value("dynaboard_watchdog_kills_total", reason="memory") == before + 1


def test_models_people_talk_to_are_counted_apart(bench: Bench, world: World) -> None:
    submission_id = world.submit(GOOD, queue=False)
    archive = Archive(submission_id, world.submission(submission_id).digest or "")
    interactive = Interactive(bench)

    async def talk() -> float:
        await interactive.ask(archive, SENTIMENT, statements(1))
        running = value("dynaboard_models_running", purpose="interactive")
        await interactive._close()
        return running

    assert asyncio.run(talk()) == 1
    assert value("dynaboard_models_running", purpose="interactive") == 0


def test_models_are_asked_for_their_memory_at_once_however_long_each_takes() -> None:
    together, models = Barrier(3), RunningModels()

    def resident() -> int:
        together.wait(10)  # raises BrokenBarrierError unless three are asked at once
        return 2**20

    slow: list[Any] = [SimpleNamespace(server=SimpleNamespace(resident=resident)) for _ in range(3)]
    with ExitStack() as removed:
        for deployment in slow:
            models.add(deployment, EVALUATED)
            removed.callback(models.remove, deployment, EVALUATED)
        assert value("dynaboard_model_memory_bytes", purpose="evaluation") == 3 * 2**20
