"""What every deployer must do, whatever it runs models on."""

import asyncio
import io
import threading
import time
from pathlib import Path

import pytest

from dynaboard.archive import object_key
from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.storage import Storage
from services.evaluator.archives import Archive
from services.evaluator.deployers import DEPLOYERS, Deployer
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.world import GOOD, SENTIMENT, World, statements

NEVER_READY = GOOD.replace('print("loaded and well")', "import time; time.sleep(60)")
UNLOADABLE = GOOD.replace('print("loaded and well")', 'raise OSError("weights.bin is not there")')


@pytest.fixture(params=DEPLOYERS)
def deployer(request: pytest.FixtureRequest, settings: EvaluatorSettings, storage: Storage) -> Deployer:
    """Each deployer in turn."""
    return DEPLOYERS[request.param](settings, storage)


def submit(world: World, handler: str) -> Archive:
    """A stored archive."""
    submission_id = world.submit(handler, queue=False)
    return Archive(submission_id, world.submission(submission_id).digest or "")


def test_a_model_starts_answers_and_leaves_nothing_behind(deployer: Deployer, world: World, runs: Path) -> None:
    deployment = deployer.start(submit(world, GOOD))
    try:
        assert not deployment.alive()
        assert 0 < deployment.wait_ready() < 30
        assert deployment.alive()
        assert deployment.manifest.batch_size == 8

        async def ask() -> list[str]:
            async with deployment.predictor(SENTIMENT) as predictor:
                return [answer.value for answer in await predictor.predict(statements(3))]

        assert asyncio.run(ask()) == ["positive", "negative", "neutral"]
        assert deployment.log(1000).endswith(b"loaded and well\n")
        assert len(deployment.log(5)) == 5
    finally:
        deployment.stop()
    assert not deployment.alive()
    deployment.stop()
    assert deployer.clean() == []
    assert list(runs.iterdir()) == []


def test_a_model_that_cannot_be_loaded_says_why(deployer: Deployer, world: World) -> None:
    deployment = deployer.start(submit(world, UNLOADABLE))
    try:
        with pytest.raises(ModelFailure, match=r"Handler\.load\(\) raised OSError: weights\.bin is not there"):
            deployment.wait_ready()
        assert b"Traceback" in deployment.log(10_000)
    finally:
        deployment.stop()


def test_stop_ends_a_start_that_hangs(deployer: Deployer, world: World, runs: Path) -> None:
    deployment = deployer.start(submit(world, NEVER_READY))
    failures: list[BaseException] = []

    def wait() -> None:
        try:
            deployment.wait_ready()
        except PlatformFailure as failure:
            failures.append(failure)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while b"loading" not in deployment.log(100):
        time.sleep(0.02)
    deployment.stop()
    waiting.join(timeout=10)
    assert len(failures) == 1
    assert list(runs.iterdir()) == []


def test_a_deployment_that_was_stopped_never_starts(deployer: Deployer, world: World, runs: Path) -> None:
    deployment = deployer.start(submit(world, GOOD))
    deployment.stop()
    with pytest.raises(PlatformFailure):
        deployment.wait_ready()
    assert deployment.log(10) == b""
    assert list(runs.iterdir()) == []


def test_an_archive_whose_bytes_changed_is_not_run(deployer: Deployer, world: World, storage: Storage) -> None:
    archive = submit(world, GOOD)
    packed = storage.get(object_key(archive.submission_id))
    storage.put_file(object_key(archive.submission_id), io.BytesIO(packed.replace(b"loaded", b"hacked")))
    deployment = deployer.start(archive)
    with pytest.raises(PlatformFailure, match="holds other bytes than were submitted"):
        deployment.wait_ready()
    deployment.stop()
