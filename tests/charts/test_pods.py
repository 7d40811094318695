"""Every pod of the chart is limited, without rights, and watched."""

from typing import Any

import pytest

from tests.charts.rendered import SERVICES, VALUES, documents, named, of_kind, pods

PODS = [pytest.param(pod, id=f"{name}: {title}") for name in VALUES for title, pod in pods(documents(name))]
CONTAINERS = [
    pytest.param(container, id=f"{name}: {title} {container['name']}")
    for name in VALUES
    for title, pod in pods(documents(name))
    for container in pod["spec"].get("initContainers", []) + pod["spec"]["containers"]
]


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_has_requests_and_limits(container: dict[str, Any]) -> None:
    for bound in ("requests", "limits"):
        assert container["resources"][bound].keys() >= {"cpu", "memory"}


@pytest.mark.parametrize("container", CONTAINERS)
def test_no_container_has_rights(container: dict[str, Any]) -> None:
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "runAsNonRoot": True,
        "capabilities": {"drop": ["ALL"]},
    }


@pytest.mark.parametrize("pod", PODS)
def test_no_pod_is_root(pod: dict[str, Any]) -> None:
    context = pod["spec"]["securityContext"]
    assert context["runAsNonRoot"]
    assert context["runAsUser"] > 0
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}


@pytest.mark.parametrize("pod", PODS)
def test_no_pod_touches_its_node(pod: dict[str, Any]) -> None:
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod["spec"].keys()
    assert [volume for volume in pod["spec"].get("volumes", []) if "hostPath" in volume] == []


@pytest.mark.parametrize("name", VALUES)
def test_only_the_evaluator_gets_a_token_of_the_cluster(name: str) -> None:
    with_token = [title for title, pod in pods(documents(name)) if pod["spec"]["automountServiceAccountToken"]]
    assert with_token == ["Deployment demo-dynaboard-evaluator"]


@pytest.mark.parametrize("name", VALUES)
def test_every_selector_selects_its_own_pods(name: str) -> None:
    for document in documents(name):
        if document["kind"] in ("Deployment", "StatefulSet"):
            selector = document["spec"]["selector"]["matchLabels"]
            assert selector.items() <= document["spec"]["template"]["metadata"]["labels"].items()


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("kind", ["Service", "PodDisruptionBudget"])
def test_every_service_and_budget_finds_exactly_the_pods_of_its_component(name: str, kind: str) -> None:
    templates = dict(pods(documents(name)))
    for document in of_kind(name, kind):
        selector = document["spec"]["selector"]
        selector = selector.get("matchLabels", selector)
        found = {t for t, pod in templates.items() if selector.items() <= pod["metadata"]["labels"].items()}
        assert [title.split()[1] for title in found] == [document["metadata"]["name"]]


def test_a_selector_holds_nothing_that_an_upgrade_changes() -> None:
    for document in of_kind("everything on", "Deployment"):
        selector = document["spec"]["selector"]["matchLabels"]
        assert selector.keys() == {
            "app.kubernetes.io/name",
            "app.kubernetes.io/instance",
            "app.kubernetes.io/component",
        }


@pytest.mark.parametrize("service", SERVICES)
def test_a_rolling_update_never_takes_a_pod_before_another_is_ready(service: str) -> None:
    deployment = named("external", "Deployment", f"-{service}")
    assert deployment["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] > 10 + 30


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_is_probed_on_its_named_port(service: str) -> None:
    (container,) = named("external", "Deployment", f"-{service}")["spec"]["template"]["spec"]["containers"]
    assert [port["name"] for port in container["ports"]] == ["http"]
    paths = {kind: container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")}
    assert paths == {
        "startup": {"path": "/healthz", "port": "http"},
        "liveness": {"path": "/healthz", "port": "http"},
        "readiness": {"path": "/readyz", "port": "http"},
    }


@pytest.mark.parametrize("service", SERVICES)
def test_replicas_are_the_autoscalers_where_there_is_one(service: str) -> None:
    assert named("external", "Deployment", f"-{service}")["spec"]["replicas"] >= 1
    assert "replicas" not in named("everything on", "Deployment", f"-{service}")["spec"]


def test_evaluators_scale_by_their_queue_and_the_others_by_processors() -> None:
    kinds = {
        scaler["metadata"]["name"].rpartition("-")[2]: scaler["spec"]["metrics"][0]["type"]
        for scaler in of_kind("everything on", "HorizontalPodAutoscaler")
    }
    assert kinds == {"gateway": "Resource", "upload": "Resource", "evaluator": "External", "scoring": "Resource"}


@pytest.mark.parametrize("service", SERVICES)
def test_another_setting_starts_new_pods(service: str) -> None:
    def checksum(name: str) -> str:
        template = named(name, "Deployment", f"-{service}")["spec"]["template"]
        return str(template["metadata"]["annotations"]["checksum/config"])

    assert checksum("external") != checksum("everything on")
    assert checksum("trial") == checksum("trial without volumes")


def test_an_image_is_its_digest_where_one_is_given() -> None:
    (container,) = named("everything on", "Deployment", "-gateway")["spec"]["template"]["spec"]["containers"]
    assert container["image"] == f"registry.example.org/dynaboard/services@sha256:{'0' * 64}"
    (container,) = named("external", "Deployment", "-gateway")["spec"]["template"]["spec"]["containers"]
    assert container["image"].startswith("dynaboard/services:0.")
