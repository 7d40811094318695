"""The settings that reach the services: every one can be said in the values, and arrives as it was said."""

import json
from typing import Any

import pytest
import yaml

from charts import reference
from charts.reference.setting_names import SECRETS, SERVICES, VALUES, WIRING, variable
from dynaboard.settings import Settings
from tests.charts.rendered import CHART, EXTERNAL, documents, of_kind, render

GIB = 1024**3


def config(service: str, values: dict[str, Any]) -> dict[str, str]:
    """The variables in a service's ConfigMap."""
    (data,) = (
        document["data"]
        for document in render(EXTERNAL | values)
        if document["kind"] == "ConfigMap" and document["metadata"]["name"] == f"demo-dynaboard-{service}"
    )
    return dict(data)


def settings(monkeypatch: pytest.MonkeyPatch, service: str, values: dict[str, Any]) -> Settings:
    """A service's settings, as it reads them in its pod."""
    for name, value in config(service, values).items():
        monkeypatch.setenv(name, value)
    return SERVICES[service]()


def test_the_schema_knows_the_settings_that_the_services_know() -> None:
    message = "run python -m charts.reference"
    assert (CHART / "values.schema.json").read_text(encoding="utf-8") == reference.schema_text(), message


@pytest.mark.parametrize("service", SERVICES)
def test_every_setting_is_a_secret_or_wiring_or_has_a_value(service: str) -> None:
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    sayable = schema["$defs"][f"{service}Settings"]["properties"].keys()
    for name in SERVICES[service].model_fields:
        assert (variable(name) in sayable) != (name in SECRETS | WIRING | VALUES.keys()), name


@pytest.mark.parametrize(("name", "path"), VALUES.items())
def test_every_value_that_stands_for_a_setting_exists(name: str, path: str) -> None:
    value = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    for part in path.split("."):
        value = value[part]
    assert any(name in kind.model_fields for kind in SERVICES.values())


@pytest.mark.parametrize("service", SERVICES)
def test_a_services_defaults_stay_where_the_values_say_nothing(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, service, {}).model_dump()
    default = SERVICES[service].model_construct().model_dump()
    ours = SECRETS | WIRING | VALUES.keys() | {"host"}
    assert {name: read[name] for name in read if name not in ours} == {n: default[n] for n in read if n not in ours}


@pytest.mark.parametrize("service", SERVICES)
def test_each_service_listens_where_the_others_look(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = settings(monkeypatch, service, {})
    assert (read.host, read.port) == ("0.0.0.0", SERVICES[service].model_fields["port"].default)
    if service != "gateway":
        address = config("gateway", {})[f"DYNABOARD_{service.upper()}_URL"]
        assert address == f"http://demo-dynaboard-{service}:{read.port}"


def test_where_models_run_arrives_as_it_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    toleration = {"key": "measure", "operator": "Exists", "effect": "NoSchedule"}
    models = {
        "memory": "6Gi",
        "threads": 2,
        "cpu": 0.25,
        "serverMemory": "768Mi",
        "disk": "50G",
        "schedulingSeconds": 60,
        "imagePullSeconds": 30,
        "nodeSelector": {"pool": "measure"},
        "interactiveNodeSelector": {"pool": "talk"},
        "tolerations": [toleration],
        "runtimeClass": "gvisor",
        "imagePullSecrets": ["pull"],
    }
    image = {"image": {"registry": "registry.example.org/", "tag": "7"}}
    read = settings(monkeypatch, "evaluator", {"models": models, "modelServer": image}).model_dump()
    assert {name: read[name] for name in read if name.startswith(("kubernetes_", "model_memory", "model_threads"))} == {
        "kubernetes_namespace": "prod-models",
        "kubernetes_image": "registry.example.org/dynaboard/model-server:7",
        "kubernetes_image_pull_secrets": ("pull",),
        "kubernetes_runtime_class": "gvisor",
        "kubernetes_node_selector": {"pool": "measure"},
        "kubernetes_interactive_node_selector": {"pool": "talk"},
        "kubernetes_tolerations": (toleration,),
        "kubernetes_cpu": 0.25,
        "kubernetes_server_memory_bytes": 768 * 1024**2,
        "kubernetes_disk_bytes": 50 * 1000**3,
        "kubernetes_scheduling_s": 60,
        "kubernetes_image_pull_s": 30,
        "model_memory_bytes": 6 * GIB,
        "model_threads": 2,
    }
    assert read["deployer"] == "kubernetes"


def test_the_platform_knows_how_many_evaluators_there_may_be() -> None:
    assert config("evaluator", {"evaluator": {"replicas": 3}})["DYNABOARD_EVALUATORS"] == "3"
    scaled = {"evaluator": {"replicas": 3, "autoscaling": {"enabled": True, "maxReplicas": 9}}}
    assert config("evaluator", scaled)["DYNABOARD_EVALUATORS"] == "9"


def test_a_pod_that_ends_listens_until_every_node_has_heard_of_it() -> None:
    data = config("gateway", {"gateway": {"drainSeconds": 7.5}})
    assert (data["DYNABOARD_DRAIN_S"], data["DYNABOARD_FINISH_S"]) == ("7.5", "30")


def test_a_services_own_setting_wins_over_the_common_one() -> None:
    values = {
        "settings": {"DYNABOARD_LOG_LEVEL": "WARNING", "DYNABOARD_HOST": "::"},
        "scoring": {"settings": {"DYNABOARD_LOG_LEVEL": "DEBUG"}},
    }
    assert config("scoring", values)["DYNABOARD_LOG_LEVEL"] == "DEBUG"
    assert config("upload", values)["DYNABOARD_LOG_LEVEL"] == "WARNING"
    assert config("upload", values)["DYNABOARD_HOST"] == "::"


def test_nothing_is_a_value_too() -> None:
    attempts = "DYNABOARD_JOB_ATTEMPTS"
    assert config("scoring", {"settings": {attempts: 3}, "scoring": {"settings": {attempts: 0}}})[attempts] == "0"


def test_numbers_and_lists_arrive_as_they_were_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"DYNABOARD_MAX_DATASET_EXAMPLES": 20_000_000, "DYNABOARD_PERTURBED_ROLES": ["scoring", "standard"]}
    read = settings(monkeypatch, "evaluator", {"evaluator": {"settings": said}}).model_dump()
    assert (read["max_dataset_examples"], read["perturbed_roles"]) == (20_000_000, ("scoring", "standard"))


def test_every_service_has_its_settings_and_nobody_elses_pods_restart() -> None:
    assert {d["metadata"]["name"] for d in of_kind("external", "ConfigMap")} == {
        f"demo-dynaboard-{service}" for service in SERVICES
    }
    assert len(documents("external")) > len(SERVICES)
