"""Whole evaluations on a real cluster, and what becomes of them when a pod or an evaluator is lost."""

import asyncio
import io
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest
from sqlalchemy import select, text

from dynaboard.database import Database
from dynaboard.errors import PlatformFailure
from dynaboard.status import Status
from dynaboard.storage import Storage
from dynaboard.tables import Measurement
from services.evaluator.archives import Archive
from services.evaluator.bench import Bench
from services.evaluator.deployers import DEPLOYERS
from services.evaluator.deployers.kubernetes.cluster import Cluster, Json
from services.evaluator.deployers.kubernetes.manifest import HOSTNAME, PURPOSE, SUBMISSION
from services.evaluator.deployers.purpose import EVALUATED
from services.evaluator.interactive import Interactive
from services.evaluator.settings import EvaluatorSettings
from tests.conftest import with_database
from tests.evaluator.deployers.cluster import in_cluster, remaining_pods
from tests.evaluator.test_killed_evaluator import evaluator
from tests.evaluator.world import GOOD, SENTIMENT, SLOW, World, statements, wait_until

pytestmark = pytest.mark.cluster
GREEDY = GOOD.replace(
    'return [{"id"', 'self.hoard = [bytearray(b"x" * 2**20) for _ in range(2**13)]\n            return [{"id"'
)


@pytest.fixture
def settings(settings: EvaluatorSettings, cluster_namespace: str) -> EvaluatorSettings:
    """Models in pods of half a GiB."""
    return in_cluster(settings.model_copy(update={"model_memory_bytes": 512 * 1024**2}), cluster_namespace)


@pytest.fixture
def cluster(settings: EvaluatorSettings) -> Iterator[Cluster]:
    """The cluster itself, to see what is there."""
    cluster = Cluster(settings.kubernetes_namespace)
    yield cluster
    cluster.close()


def pods_of(cluster: Cluster, submission_id: str) -> list[Json]:
    """The pods that run a submission's model for its evaluation."""
    return cluster.pods(f"{PURPOSE}=evaluation,{SUBMISSION}={submission_id}")


def test_a_model_is_evaluated_and_measured_in_its_pod(
    bench: Bench, world: World, work: Callable[[], None], storage: Storage, settings: EvaluatorSettings
) -> None:
    world.add_dataset("reviews", statements(50))
    submission_id = world.submit(GOOD)
    work()
    assert world.submission(submission_id).status == Status.PREDICTED, world.submission(submission_id).reason
    row = world.evaluations(submission_id)["reviews"]
    table = pq.read_table(io.BytesIO(storage.get(row.predictions_key or "")))
    assert table["label"].to_pylist() == [example["label"] for example in statements(50)]
    assert row.provenance["sandbox"] == "pod"
    with world.database.begin() as db:
        cells = {cell.metric: cell for cell in db.scalars(select(Measurement))}
    assert {"throughput", "memory", "cold_start", "latency_p50"} <= cells.keys()
    assert 0 < cells["memory"].value < 1024**3
    assert b"loaded and well" in storage.get(f"logs/{submission_id}.log")
    bench.reference.close()
    assert remaining_pods(settings) == []


def test_a_deleted_pod_costs_time_and_nothing_else_and_its_owner_reads_why(
    bench: Bench, world: World, work: Callable[[], None], storage: Storage, cluster: Cluster
) -> None:
    examples = statements(60, "waits")
    world.add_dataset("slow", examples)
    submission_id = world.submit(SLOW, batch_size=2)
    working = threading.Thread(target=work)
    working.start()
    wait_until(lambda: (rows := world.evaluations(submission_id)) and rows["slow"].done > 10, seconds=60)
    (pod,) = pods_of(cluster, submission_id)
    cluster.delete(pod["metadata"]["name"])
    working.join()

    waiting = world.submission(submission_id)
    assert (waiting.status, waiting.step) == ("running", "Waiting to be started again")
    assert waiting.reason == (
        "It took longer: The model's pod was removed from the cluster while it ran; it starts again in a new one."
    )
    with world.database.begin() as db:
        db.execute(text("UPDATE procrastinate_jobs SET scheduled_at = now()"))
    work()
    assert world.submission(submission_id).status == Status.PREDICTED
    row = world.evaluations(submission_id)["slow"]
    table = pq.read_table(io.BytesIO(storage.get(row.predictions_key or "")))
    assert table["id"].to_pylist() == [example["id"] for example in examples]


def test_a_model_that_takes_its_pods_memory_while_it_predicts_is_told_so(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(20))
    submission_id = world.submit(GREEDY)
    work()
    failed = world.submission(submission_id)
    assert (failed.status, failed.failure) == ("failed", "model")
    assert (failed.reason or "").endswith("The model needs more than the 512 MiB it may use.")


def test_people_talk_to_a_model_in_a_pod(bench: Bench, world: World, settings: EvaluatorSettings) -> None:
    submission_id = world.submit(GOOD, queue=False)
    archive = Archive(submission_id, world.submission(submission_id).digest or "")

    async def talk() -> list[tuple[list[str], bool]]:
        interactive, said = Interactive(bench), []
        for _ in range(2):
            answers, started = await interactive.ask(archive, SENTIMENT, statements(3))
            said.append(([answer.value for answer in answers], started))
        await interactive._close()
        return said

    answers = ["positive", "negative", "neutral"]
    assert asyncio.run(talk()) == [(answers, True), (answers, False)]
    assert remaining_pods(settings) == []


def test_a_killed_evaluators_pod_is_swept_by_another_and_its_work_goes_on(
    bench: Bench, world: World, settings: EvaluatorSettings, cluster: Cluster, tmp_path: Path
) -> None:
    world.add_dataset("slow", statements(60, "waits"))
    submission_id = world.submit(SLOW, batch_size=2)
    names = ("deployer", "measurement_profile", "data_dir", "database_url", "s3_url", "s3_access_key", "s3_secret_key")
    names += ("s3_bucket", "internal_token", "model_memory_bytes", "chunk_examples", "kubernetes_image")
    names += ("kubernetes_namespace", "kubernetes_cpu", "kubernetes_disk_bytes", "heartbeat_timeout_s")
    values: dict[str, Any] = {name: getattr(settings, name) for name in names} | {"perturbed_roles": "[]"}
    with evaluator(values, tmp_path / "log") as killed:
        wait_until(lambda: (rows := world.evaluations(submission_id)) and rows["slow"].done > 10, seconds=60)
        (pod,) = pods_of(cluster, submission_id)
        assert bench.deployer.clean() == bench.deployer.clean() == []  # its evaluator lives
        killed.send_signal(signal.SIGKILL)
        psutil.Process(killed.pid).wait()
    assert bench.deployer.clean() == []
    assert bench.deployer.clean() == [pod["metadata"]["name"]]
    assert remaining_pods(settings) == []


def test_another_installations_pods_in_the_same_namespace_are_left_alone(
    settings: EvaluatorSettings, bench: Bench, world: World, storage: Storage, postgres_url: str, cluster: Cluster
) -> None:
    strangers = Database(with_database(postgres_url, "template_dynaboard"))
    deployer = DEPLOYERS["kubernetes"](settings, storage, strangers)
    submission_id = world.submit(GOOD, queue=False)
    deployment = deployer.start(Archive(submission_id, world.submission(submission_id).digest or ""), EVALUATED)
    try:
        deployment.settle(lambda step: None)
        assert bench.deployer.clean() == bench.deployer.clean() == []
        assert len(pods_of(cluster, submission_id)) == 1
    finally:
        deployment.stop()
        deployer.close()
        strangers.close()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"kubernetes_image": "registry.invalid/nothing:1"},
            "image cannot be pulled",
        ),
        ({"kubernetes_cpu": 900.0}, "No machine of the cluster had room for the model within 3 s"),
        ({"kubernetes_namespace": "nobody-made-it"}, "The cluster has no namespace nobody-made-it"),
        ({"kubernetes_node_selector": {"no": "such"}}, "No machine of the cluster had room"),
    ],
)
def test_what_the_cluster_lacks_is_the_platforms_fault_and_said(
    settings: EvaluatorSettings, change: dict[str, Any], sentence: str, world: World, storage: Storage, cluster: Cluster
) -> None:
    patient = {"kubernetes_scheduling_s": 3.0, "kubernetes_image_pull_s": 4.0}
    deployer = DEPLOYERS["kubernetes"](settings.model_copy(update=patient | change), storage, world.database)
    submission_id = world.submit(GOOD, queue=False)
    archive = Archive(submission_id, world.submission(submission_id).digest or "")
    deployment = deployer.start(archive, EVALUATED)
    said: list[str] = []
    try:
        with pytest.raises(PlatformFailure, match=sentence):
            deployment.settle(said.append)
    finally:
        deployment.stop()
        deployer.close()
    assert set(said) <= {"Waiting for a free machine", "Getting a machine ready for the model"}
    assert pods_of(cluster, submission_id) == [] or all(
        pod["metadata"].get("deletionTimestamp") for pod in pods_of(cluster, submission_id)
    )


def test_a_second_evaluation_waits_until_the_node_has_measured_the_first(
    settings: EvaluatorSettings, world: World, storage: Storage
) -> None:
    archives = [
        Archive(submission_id, world.submission(submission_id).digest or "")
        for submission_id in (world.submit(GOOD, queue=False) for _ in range(2))
    ]
    said: list[str] = []
    deployer = DEPLOYERS["kubernetes"](settings, storage, world.database)
    one = deployer.start(archives[0], EVALUATED)
    one.settle(said.append)
    here = settings.model_copy(update={"kubernetes_node_selector": {HOSTNAME: one.place}})
    other = DEPLOYERS["kubernetes"](here, storage, world.database)
    two = other.start(archives[1], EVALUATED)
    waiting = threading.Thread(target=two.settle, args=(said.append,))
    said.clear()
    waiting.start()
    try:
        wait_until(lambda: said.count("Waiting for a free machine") > 4, seconds=30)
        one.stop()
        waiting.join(90)
        assert two.place == one.place
    finally:
        one.stop()
        two.stop()
        deployer.close()
        other.close()
