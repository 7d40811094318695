"""An evaluator over a real database, object store and TorchServe, with a measurement of half a second."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dynaboard.database import Database
from dynaboard.jobs import EVALUATE, QUEUES
from dynaboard.measurement import PROFILES
from dynaboard.storage import Storage
from services.evaluator.app import make_bench
from services.evaluator.bench import Bench
from services.evaluator.jobs import make_jobs
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.deployers.cluster import namespace, skip_without_cluster
from tests.evaluator.world import World

TINY = replace(
    PROFILES["quick"],
    name="tiny", inputs=8, listen_s=0.01, quiet_cap_s=0.0, floor_s=0.01, window_s=0.01, warmup_cap_s=0.05, pair_s=0.02,
    turn_s=0.02, least_pairs=2, most_pairs=2, least_requests=4, latency_s=0.01, probes=1, probe_s=0.01,
    probe_requests=4, check_s=0.01, rating_s=0.05, flags=("tiny",),
)  # fmt: skip


@pytest.fixture(autouse=True)
def tiny_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A measurement profile for tests, beside the others."""
    monkeypatch.setitem(PROFILES, TINY.name, TINY)


@pytest.fixture
def world(database: Database, storage: Storage) -> World:
    """An empty platform to fill."""
    return World(database, storage)


@pytest.fixture
def settings(platform: dict[str, Any]) -> EvaluatorSettings:
    """Small chunks, tight limits, no perturbed copies."""
    return EvaluatorSettings(
        **platform,
        perturbed_roles=(),
        measurement_profile=TINY.name,
        chunk_examples=20,
        model_startup_s=20,
        model_predict_s=5,
        heartbeat_timeout_s=1,
        interactive_idle_s=0.3,
        interactive_models=1,
        interactive_patience_s=0.2,
    )


@pytest.fixture
def bench(settings: EvaluatorSettings, database: Database, storage: Storage) -> Iterator[Bench]:
    """An evaluator without its routes."""
    bench = make_bench(settings, database)
    yield bench
    bench.reference.close()
    bench.deployer.close()
    bench.slot.close()
    bench.storage.client.close()


@pytest.fixture
def work(bench: Bench) -> Callable[[], None]:
    """Run the queued evaluations with a real worker."""

    async def run() -> None:
        async with make_jobs(bench).open_async() as app:
            await app.run_worker_async(queues=[QUEUES[EVALUATE]], wait=False, install_signal_handlers=False)

    return lambda: asyncio.run(run())


@pytest.fixture(scope="session")
def cluster_namespace() -> Iterator[str]:
    """A namespace of a real cluster; tests that use it are skipped, aloud, where there is none."""
    skip_without_cluster()
    with namespace() as name:
        yield name


@pytest.fixture
def runs(settings: EvaluatorSettings) -> Path:
    """Where models run."""
    return settings.data_dir / "runs"
