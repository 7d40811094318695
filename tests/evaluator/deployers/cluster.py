"""A real cluster for tests: the one that KUBECONFIG names, in a namespace of its own for a run of pytest."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from kubernetes import client, config

from services.evaluator.deployers.kubernetes.cluster import Cluster
from services.evaluator.deployers.kubernetes.manifest import OURS
from services.evaluator.settings import EvaluatorSettings

NEEDED = ("KUBECONFIG", "DYNABOARD_TEST_MODEL_IMAGE")
# What the cluster itself holds pods against; older ones than 1.23 do not know it.
RESTRICTED = {"pod-security.kubernetes.io/enforce": "restricted"}


def skip_without_cluster() -> None:
    """Skip the test, saying why, where there is no cluster to test on."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    if missing:
        pytest.skip(f"no Kubernetes cluster: {' and '.join(missing)} not set")


@contextmanager
def namespace() -> Iterator[str]:
    """A new namespace, ready for pods; removed with all that is in it."""
    settings = client.Configuration()
    config.load_kube_config(client_configuration=settings)
    api, name = client.CoreV1Api(client.ApiClient(settings)), f"dynaboard-test-{uuid4().hex[:8]}"
    api.create_namespace({"metadata": {"name": name, "labels": RESTRICTED}})
    try:
        deadline = time.monotonic() + 30
        while not api.list_namespaced_service_account(name).items and time.monotonic() < deadline:
            time.sleep(0.1)
        yield name
    finally:
        api.delete_namespace(name)
        api.api_client.close()


def in_cluster(settings: EvaluatorSettings, namespace: str) -> EvaluatorSettings:
    """The same settings for models in pods, small enough for any cluster."""
    return settings.model_copy(
        update={
            "deployer": "kubernetes",
            "kubernetes_image": os.environ["DYNABOARD_TEST_MODEL_IMAGE"],
            "kubernetes_namespace": namespace,
            "kubernetes_cpu": 0.25,
            "kubernetes_disk_bytes": 1024**3,
            "model_startup_s": 60.0,
        }
    )


def remaining_pods(settings: EvaluatorSettings) -> list[str]:
    """The names of the models' pods that are there now and not on their way out."""
    cluster = Cluster(settings.kubernetes_namespace)
    try:
        pods = cluster.pods(",".join(f"{key}={value}" for key, value in OURS.items()))
    finally:
        cluster.close()
    return [pod["metadata"]["name"] for pod in pods if not pod["metadata"].get("deletionTimestamp")]
