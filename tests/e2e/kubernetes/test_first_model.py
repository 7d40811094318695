"""From nothing to a board: helm install, `dynaboard submit`, a pod of the model's own, five metrics; and away again."""

import json
from pathlib import Path
from typing import Any

from kubernetes import client

from tests.e2e.kubernetes.cluster import Cluster, until
from tests.e2e.kubernetes.evaluations import add_datasets
from tests.e2e.kubernetes.history import Life, watched
from tests.e2e.kubernetes.installation import RELEASE, Installation, installed, removed

METRICS = {"performance", "throughput", "memory", "fairness", "robustness"}


def test_a_model_runs_in_a_pod_of_its_own_and_stands_on_the_board_with_five_metrics(
    platform: Installation, models: Path
) -> None:
    with watched(platform.cluster, platform.models) as history:
        platform.cli("submit", str(models / "tfidf-sentiment"), "--publish", "--follow")

    board = json.loads(platform.cli("leaderboard", "sentiment", "--json"))
    (row,) = [row for row in board["rows"] if row["name"] == "tfidf-sentiment"]
    assert row["rank"] is not None
    assert {name for name, cell in row["metrics"].items() if cell is not None} >= METRICS
    assert row["metrics"]["memory"]["value"] > 0
    (life,) = history.of("evaluation")
    assert life.gone_at is not None
    assert history.of("reference")
    for each in history.lives.values():
        assert_confined(each.pod)
    until(lambda: not platform.model_pods("evaluation"), 30, "the model's pod is removed")


def test_the_reference_runs_on_the_very_node_of_the_candidate(platform: Installation, models: Path) -> None:
    with watched(platform.cluster, platform.models) as history:
        platform.cli("submit", str(models / "majority-sentiment"), "--publish", "--follow")

    def node(life: Life) -> str:
        return str(life.pod.spec.node_name)

    (candidate,) = history.of("evaluation")
    assert {node(life) for life in history.of("reference") if life.overlaps(candidate)} <= {node(candidate)}


def test_uninstalling_leaves_no_pod_and_no_namespace(cluster: Cluster, models: Path) -> None:
    with installed(cluster) as found:
        with found.client() as platform:
            add_datasets(platform)
        found.cli("submit", str(models / "majority-sentiment"))
        until(found.model_pods, 180, "a model's pod")
        with removed(found):
            pass

        until(lambda: not found.cluster.pods(found.namespace), 120, "no pod of the platform")
        until(lambda: found.models not in cluster.namespaces(), 120, "no namespace of models")
        kept = cluster.core.list_namespaced_secret(found.namespace, label_selector="app.kubernetes.io/managed-by=Helm")
        assert {secret.metadata.name for secret in kept.items} == {RELEASE, f"{RELEASE}-trial"}  # for the next one
    assert found.namespace not in cluster.namespaces()


def assert_confined(pod: client.V1Pod) -> None:
    """The object says all that keeps a stranger's code in."""
    spec = pod.spec
    assert pod.status.qos_class == "Guaranteed"
    assert spec.restart_policy == "Never"
    assert spec.automount_service_account_token is False
    assert spec.enable_service_links is False
    assert not any((spec.host_network, spec.host_pid, spec.host_ipc))
    assert not [volume.name for volume in spec.volumes or [] if volume.host_path or volume.secret or volume.projected]
    for container in [*(spec.init_containers or []), *spec.containers]:
        assert confinement(container, spec) == CONFINED, container.name
        assert container.resources.requests == container.resources.limits


CONFINED = {
    "root": False,
    "user": True,
    "read_only": True,
    "escalation": False,
    "dropped": ["ALL"],
    "seccomp": "RuntimeDefault",
}


def confinement(container: client.V1Container, spec: client.V1PodSpec) -> dict[str, Any]:
    """What holds for a container: what it says itself, else what its pod says."""
    own, pods = container.security_context, spec.security_context
    profile = own.seccomp_profile or pods.seccomp_profile
    non_root = own.run_as_non_root if own.run_as_non_root is not None else pods.run_as_non_root
    return {
        "root": not non_root,
        "user": (own.run_as_user or pods.run_as_user or 0) > 0,
        "read_only": own.read_only_root_filesystem,
        "escalation": own.allow_privilege_escalation,
        "dropped": own.capabilities.drop,
        "seccomp": profile.type if profile else None,
    }
