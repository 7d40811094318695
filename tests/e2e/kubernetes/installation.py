"""The chart, installed in a namespace of its own for as long as a block lasts; nothing of it stays."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import helm_python
from kubernetes import client

from dynaboard.client import Client
from dynaboard.schemas import SubmissionView
from tests.e2e.kubernetes.cluster import Cluster, described
from tests.e2e.kubernetes.door import door
from tests.e2e.kubernetes.evaluations import ended

ROOT = Path(__file__).parents[3]
CHART = ROOT / "charts" / "dynaboard"
# What helm may take for one step, in seconds: pods start in seconds, but not on a machine that does other things too.
PATIENCE_S = 300
SERVICES = ("gateway", "upload", "evaluator", "scoring")
RELEASE = "dynaboard"
# Enough for the example models, and for two pods beside the services on a machine with two processors.
MODEL_MEMORY_MIB = 768


def images() -> tuple[str, str]:
    """Where the cluster finds the images: what stands before /services and /model-server, and the tag."""
    return os.environ.get("DYNABOARD_E2E_IMAGES", "dynaboard"), os.environ.get("DYNABOARD_E2E_TAG", "dev")


def small_values() -> dict[str, Any]:
    """The bundled trial database and store, one replica of everything, and as little of the machine as will do."""
    prefix, tag = images()
    modest = {"requests": {"cpu": "20m", "memory": "64Mi"}, "limits": {"cpu": "2", "memory": "2Gi"}}
    service = {"replicas": 1, "resources": modest, "drainSeconds": 2, "finishSeconds": 10}
    own = {"enabled": True, "resources": modest, "persistence": {"enabled": False}}
    return {
        "image": {"repository": f"{prefix}/services", "tag": tag},
        "modelServer": {"image": {"repository": f"{prefix}/model-server", "tag": tag}},
        **{name: deepcopy(service) for name in SERVICES},
        "trial": {"postgresql": own, "s3": deepcopy(own)},
        "migrations": {"resources": modest},
        "models": {"memory": f"{MODEL_MEMORY_MIB}Mi", "cpu": 0.25, "schedulingSeconds": 600},
        "measurement": {"profile": "quick"},
        "tests": {"network": "warn"},
    }


def merged(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with those of `over` in their place, as helm merges two files of them."""
    both = dict(values)
    for name, value in over.items():
        old = both.get(name)
        both[name] = merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return both


@dataclass
class Installation:
    """A release of the chart, where its gateway answers, and its administrator's key."""

    cluster: Cluster
    namespace: str
    values: dict[str, Any]
    url: str = ""
    key: str = ""

    @property
    def models(self) -> str:
        """The namespace of the models' pods."""
        return f"{self.namespace}-models"

    @contextmanager
    def helm(self) -> Iterator[helm_python.Config]:
        """Helm, for this release's namespace."""
        with helm_python.Config(kubeconfig_path=os.environ["KUBECONFIG"], namespace=self.namespace) as configured:
            yield configured

    def install(self, chart: Path = CHART) -> None:
        """helm install --wait."""
        with self.helm() as helm:
            helm.install(chart, RELEASE, self.values, wait="watcher", timeout=PATIENCE_S)

    def upgrade(self, over: Mapping[str, Any], chart: Path = CHART) -> None:
        """helm upgrade --wait, with these values beside those there are."""
        self.values = merged(self.values, over)
        with self.helm() as helm:
            helm.upgrade(chart, RELEASE, self.values, wait="watcher", timeout=PATIENCE_S)

    def pods(self, service: str = "") -> list[client.V1Pod]:
        """The pods of a service, or of all of them."""
        return self.cluster.pods(self.namespace, selector(service))

    def model_pods(self, purpose: str = "") -> list[client.V1Pod]:
        """The pods in which models run: of one purpose, or all."""
        of_purpose = f",dynaboard.org/purpose={purpose}" if purpose else ""
        return self.cluster.pods(self.models, f"app.kubernetes.io/name=dynaboard-model{of_purpose}")

    def client(self) -> Client:
        """The platform's own client, as its administrator."""
        return Client(self.url, self.key)

    def cli(self, *words: str, check: bool = True) -> str:
        """What `dynaboard …` prints, run as a user does. Raises CalledProcessError, with all it said, unless told."""
        environment = os.environ | {"DYNABOARD_URL": self.url, "DYNABOARD_KEY": self.key, "COLUMNS": "200"}
        command = [sys.executable, "-m", "dynaboard.cli", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
        if check and done.returncode:
            raise AssertionError(
                f"dynaboard {' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}"
            )
        return done.stdout

    def submit(self, folder: Path, *options: str) -> str:
        """`dynaboard submit`, without waiting; the submission's id."""
        return str(json.loads(self.cli("submit", str(folder), *options, "--json"))["id"])

    def ended(self, submission_id: str) -> SubmissionView:
        """Wait for a submission's end; how it is then."""
        with self.client() as platform:
            return ended(platform, submission_id)

    def described(self) -> str:
        """Its pods and their last words."""
        with suppress(client.ApiException):
            return described(self.cluster, [self.namespace, self.models])
        return ""


def selector(service: str = "") -> str:
    """The labels of a service's pods."""
    instance = f"app.kubernetes.io/instance={RELEASE}"
    return f"{instance},app.kubernetes.io/component={service}" if service else instance


@contextmanager
def installed(cluster: Cluster, over: Mapping[str, Any] | None = None, chart: Path = CHART) -> Iterator[Installation]:
    """Install the chart, open a door to its gateway, and at the end remove everything, however it went."""
    name = f"dynaboard-e2e-{secrets.token_hex(3)}"
    found = Installation(cluster, name, merged(small_values(), over or {}))
    try:
        with cluster.namespace(name), removed(found):
            try:
                found.install(chart)
            except helm_python.HelmError as error:
                raise AssertionError(f"helm install: {error}\n{found.described()}") from error
            with opened(cluster, name, found.values) as reachable:
                yield reachable
    finally:
        cluster.delete_namespaces([found.models])


@contextmanager
def opened(cluster: Cluster, namespace: str, values: Mapping[str, Any] | None = None) -> Iterator[Installation]:
    """An installation that is there, with a door to its gateway."""
    found = Installation(cluster, namespace, dict(values or small_values()))
    found.key = cluster.secret(namespace, RELEASE, "admin-key")
    with door(cluster, namespace, selector("gateway"), 8000) as found.url:
        yield found


@contextmanager
def removed(found: Installation) -> Iterator[None]:
    """helm uninstall at the end of the block, if it is still there."""
    try:
        yield
    finally:
        with found.helm() as helm:
            helm.uninstall(RELEASE, ignore_not_found=True, timeout=PATIENCE_S)
