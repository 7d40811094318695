"""What every deployer must do, whatever it runs models on: `local` always, `kubernetes` where there is a cluster."""

import asyncio
import io
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from dynaboard.archive import object_key
from dynaboard.database import Database
from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.measurement import reference_models
from dynaboard.storage import Storage
from services.evaluator.archives import Archive
from services.evaluator.deployers import DEPLOYERS, Deployer, Deployment
from services.evaluator.deployers.purpose import EVALUATED, INTERACTIVE, REFERENCE
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.deployers.cluster import in_cluster, remaining_pods
from tests.evaluator.world import GOOD, SENTIMENT, World, statements

NEVER_READY = GOOD.replace('print("loaded and well")', "import time; time.sleep(60)")
UNLOADABLE = GOOD.replace('print("loaded and well")', 'raise OSError("weights.bin is not there")')
HUNGRY = GOOD.replace('print("loaded and well")', 'self.hoard = [bytearray(b"x" * 2**20) for _ in range(2**13)]')
SAID: list[str] = []


@pytest.fixture(params=["local", pytest.param("kubernetes", marks=pytest.mark.cluster)])
def deployer(
    request: pytest.FixtureRequest, settings: EvaluatorSettings, storage: Storage, database: Database
) -> Iterator[Deployer]:
    """Each deployer in turn; what it left is held against it."""
    settings = settings.model_copy(update={"model_memory_bytes": 512 * 1024**2})
    if request.param == "kubernetes":
        settings = in_cluster(settings, request.getfixturevalue("cluster_namespace"))
    deployer = DEPLOYERS[request.param](settings, storage, database)
    yield deployer
    deployer.close()
    runs = settings.data_dir / "runs"
    assert not runs.is_dir() or list(runs.iterdir()) == []
    if request.param == "kubernetes":
        assert remaining_pods(settings) == []


@pytest.fixture
def started(deployer: Deployer, world: World) -> Iterator[Callable[[str], Deployment]]:
    """Start a model with this handler; it is stopped after the test, twice."""
    deployments: list[Deployment] = []

    def start(handler: str) -> Deployment:
        deployments.append(deployer.start(submit(world, handler), EVALUATED))
        return deployments[-1]

    yield start
    for deployment in deployments:
        deployment.stop()
        assert not deployment.alive()
        deployment.stop()


def submit(world: World, handler: str) -> Archive:
    """A stored archive."""
    submission_id = world.submit(handler, queue=False)
    return Archive(submission_id, world.submission(submission_id).digest or "")


def run(deployment: Deployment) -> float:
    """All steps of a start."""
    deployment.settle(SAID.append)
    deployment.fetch()
    return deployment.wait_ready()


def test_a_model_starts_answers_and_leaves_nothing_behind(
    started: Callable[[str], Deployment], deployer: Deployer
) -> None:
    deployment = started(GOOD)
    assert not deployment.alive()
    assert 0 < run(deployment) < 30
    assert deployment.alive()
    assert deployment.place
    assert deployment.manifest.batch_size == 8
    assert deployment.server.resident() > 0

    async def ask() -> list[str]:
        async with deployment.predictor(SENTIMENT) as predictor:
            return [answer.value for answer in await predictor.predict(statements(3))]

    assert asyncio.run(ask()) == ["positive", "negative", "neutral"]
    assert deployment.log(1000).endswith(b"loaded and well\n")
    assert len(deployment.log(5)) == 5
    deployment.stop()
    assert deployer.clean() == []
    assert deployer.clean() == []


def test_a_model_that_cannot_be_loaded_says_why(started: Callable[[str], Deployment]) -> None:
    deployment = started(UNLOADABLE)
    with pytest.raises(ModelFailure, match=r"Handler\.load\(\) raised OSError: weights\.bin is not there"):
        run(deployment)
    assert b"Traceback" in deployment.log(10_000)


def test_a_model_that_outgrows_its_memory_is_told_so(started: Callable[[str], Deployment]) -> None:
    with pytest.raises(ModelFailure, match=r"The model needs more than the 512 MiB it may use\."):
        run(started(HUNGRY))


def test_stop_ends_a_start_that_hangs(started: Callable[[str], Deployment]) -> None:
    deployment = started(NEVER_READY)
    failures: list[BaseException] = []

    def wait() -> None:
        try:
            run(deployment)
        except PlatformFailure as failure:
            failures.append(failure)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while b"loading" not in deployment.log(100):
        time.sleep(0.02)
    deployment.stop()
    waiting.join(timeout=10)
    assert len(failures) == 1


def test_a_deployment_that_was_stopped_never_starts(started: Callable[[str], Deployment]) -> None:
    deployment = started(GOOD)
    deployment.stop()
    with pytest.raises(PlatformFailure):
        run(deployment)
    assert deployment.log(10) == b""


def test_an_archive_whose_bytes_changed_is_not_run(deployer: Deployer, world: World, storage: Storage) -> None:
    archive = submit(world, GOOD)
    packed = storage.get(object_key(archive.submission_id))
    storage.put_file(object_key(archive.submission_id), io.BytesIO(packed.replace(b"loaded", b"hacked")))
    deployment = deployer.start(archive, INTERACTIVE)
    try:
        with pytest.raises(PlatformFailure, match="other bytes than were submitted"):
            run(deployment)
    finally:
        deployment.stop()


def test_the_reference_model_runs_beside_a_model_where_that_runs(
    started: Callable[[str], Deployment], deployer: Deployer
) -> None:
    candidate = started(GOOD)
    candidate.settle(SAID.append)
    reference = deployer.start_reference(candidate.place)
    try:
        run(reference)
        assert reference.place == candidate.place
        assert reference.manifest.name == REFERENCE

        async def ask() -> list[str]:
            async with reference.predictor(reference_models.TASK) as predictor:
                return [answer.value for answer in await predictor.predict(reference_models.inputs()[:2])]

        assert set(asyncio.run(ask())) <= set(reference_models.TASK.labels)
    finally:
        reference.stop()
