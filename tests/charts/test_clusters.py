"""Clusters differ in what they know; the chart gives each what it knows."""

from pathlib import Path

import yaml

from charts.dashboards import FOLDER
from tests.charts.rendered import CHART, VALUES, chart_for, documents, of_kind, render

EVERYTHING = VALUES["everything on"]
OPERATOR = {"monitoring.coreos.com/v1/ServiceMonitor": True, "monitoring.coreos.com/v1/PrometheusRule": True}
RULES = CHART / "monitoring" / "rules"


def test_an_old_cluster_gets_the_old_budget_and_no_autoscaler(tmp_path: Path) -> None:
    found = render(EVERYTHING, chart_for({"policy/v1": False, "autoscaling/v2": False}, tmp_path))
    kinds = {document["kind"] for document in found}
    assert "HorizontalPodAutoscaler" not in kinds
    assert {d["apiVersion"] for d in found if d["kind"] == "PodDisruptionBudget"} == {"policy/v1beta1"}
    assert all("replicas" in d["spec"] for d in found if d["kind"] == "Deployment")


def test_without_the_prometheus_operator_none_of_its_objects_are_made() -> None:
    assert {d["apiVersion"] for d in documents("everything on") if "monitoring" in d["apiVersion"]} == set()


def test_the_operator_scrapes_every_service_under_the_name_that_alerts_ask_for(tmp_path: Path) -> None:
    found = render(EVERYTHING, chart_for(OPERATOR, tmp_path))
    (monitor,) = (d for d in found if d["kind"] == "ServiceMonitor")
    (endpoint,) = monitor["spec"]["endpoints"]
    assert endpoint["relabelings"] == [{"action": "replace", "targetLabel": "job", "replacement": "dynaboard"}]
    assert endpoint["authorization"]["credentials"] == {"name": "keys", "key": "telemetry-token"}
    assert monitor["metadata"]["labels"]["release"] == "prometheus"
    selected = [
        d["metadata"]["name"]
        for d in found
        if d["kind"] == "Service"
        and monitor["spec"]["selector"]["matchLabels"].items() <= d["metadata"]["labels"].items()
        and endpoint["port"] in [port["name"] for port in d["spec"]["ports"]]
    ]
    assert sorted(selected) == [f"demo-dynaboard-{name}" for name in ("evaluator", "gateway", "scoring", "upload")]


def test_the_operator_gets_the_rules_as_they_are(tmp_path: Path) -> None:
    found = render(EVERYTHING, chart_for(OPERATOR, tmp_path))
    rules = {d["metadata"]["name"].rpartition("-")[2]: d["spec"] for d in found if d["kind"] == "PrometheusRule"}
    assert rules == {file.stem: yaml.safe_load(file.read_text(encoding="utf-8")) for file in RULES.glob("*.yml")}


def test_rules_are_in_a_config_map_for_a_prometheus_without_the_operator() -> None:
    (found,) = (d for d in of_kind("everything on", "ConfigMap") if d["metadata"]["name"].endswith("-rules"))
    assert found["data"] == {file.name: file.read_text(encoding="utf-8") for file in RULES.glob("*.yml")}


def test_dashboards_are_config_maps_that_grafanas_sidecar_finds() -> None:
    found = [d for d in of_kind("everything on", "ConfigMap") if "-dashboard-" in d["metadata"]["name"]]
    assert [d["metadata"]["labels"]["grafana_dashboard"] for d in found] == ["1"] * 4
    data = {name: text for d in found for name, text in d["data"].items()}
    assert data == {f"dynaboard-{file.name}": file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}


def test_each_pod_says_where_it_is_scraped_without_the_operator() -> None:
    ports = {
        deployment["metadata"]["name"].rpartition("-")[2]: deployment["spec"]["template"]["metadata"]["annotations"]
        for deployment in of_kind("everything on", "Deployment")
    }
    assert {name: notes["prometheus.io/port"] for name, notes in ports.items()} == {
        "gateway": "8000",
        "upload": "8001",
        "evaluator": "8002",
        "scoring": "8003",
    }


def test_the_ingress_leads_to_the_gateway_over_https() -> None:
    (ingress,) = of_kind("everything on", "Ingress")
    (rule,) = ingress["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    assert (rule["host"], path["path"]) == ("nlp.example.org", "/")
    assert path["backend"] == {"service": {"name": "demo-dynaboard-gateway", "port": {"name": "http"}}}
    assert ingress["spec"]["tls"] == [{"hosts": ["nlp.example.org"], "secretName": "demo-dynaboard-gateway-tls"}]
