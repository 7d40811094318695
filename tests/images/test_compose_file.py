"""docker-compose.yml, read without an engine: what it lets its containers do, and that it knows no secret."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = FILE["services"]
MONITORING = ROOT / "charts" / "dynaboard" / "monitoring"
GRAFANA = ROOT / "images" / "compose" / "grafana"


def test_the_whole_platform_is_there() -> None:
    platform = {"postgres", "s3", "migrate", "upload", "evaluator", "scoring", "gateway", "prometheus", "grafana"}
    assert set(SERVICES) == platform


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_can_do_no_more_than_it_must(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["mem_limit"]
    assert service["pids_limit"]
    assert "privileged" not in service
    assert not [volume for volume in service.get("volumes", ()) if volume.startswith("/") or "docker.sock" in volume]


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_is_started_again_and_says_how_it_is(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"].get("test") or (name == "migrate" and service["restart"].startswith("on-failure"))
    assert name == "migrate" or service["restart"] == "unless-stopped"


def test_only_the_evaluator_may_make_namespaces_and_it_runs_nothing_unfenced() -> None:
    loosened = {name for name, service in SERVICES.items() if len(service["security_opt"]) > 1}
    assert loosened == {"evaluator"}
    assert not [option for option in SERVICES["evaluator"]["security_opt"] if "seccomp=unconfined" in option]
    assert SERVICES["evaluator"]["environment"]["DYNABOARD_SANDBOX"] == "required"
    assert [name for name, service in SERVICES.items() if service.get("cap_add")] == ["postgres"]


def test_the_evaluators_filter_leaves_out_nothing_but_what_bubblewrap_needs() -> None:
    profile = json.loads((ROOT / "images" / "seccomp-evaluator.json").read_text(encoding="utf-8"))
    refused = profile["syscalls"][0]
    assert refused["action"] == "SCMP_ACT_ERRNO"
    assert {"bpf", "ptrace", "setns", "keyctl", "kexec_load", "io_uring_setup", "perf_event_open"} <= set(
        refused["names"]
    )
    assert not {"clone", "unshare", "mount", "umount2", "pivot_root"} & set(refused["names"])


def test_ports_are_published_on_this_machine_alone() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_services_and_their_stores_have_no_way_out() -> None:
    assert FILE["networks"]["inside"] == {"internal": True}
    with_a_way_out = {name for name, service in SERVICES.items() if "outside" in service["networks"]}
    assert with_a_way_out == {"gateway", "prometheus", "grafana"}


def test_no_secret_has_a_default() -> None:
    given = [str(value) for service in SERVICES.values() for value in secrets_of(service)]
    assert len(given) > 8
    assert [value for value in given if ":?" not in value] == []


def secrets_of(service: dict[str, Any]) -> list[Any]:
    """The values of a container's environment that must not be known."""
    words = ("PASSWORD", "SECRET", "TOKEN", "ADMIN_KEY", "DATABASE_URL")
    return [value for name, value in service.get("environment", {}).items() if any(word in name for word in words)]


def test_the_gateway_is_not_given_the_keys_of_the_object_store() -> None:
    holders = {
        name for name, service in SERVICES.items() if "DYNABOARD_S3_SECRET_KEY" in service.get("environment", {})
    }
    assert holders == {"s3", "upload", "evaluator", "scoring"}


def test_prometheus_reads_each_service_where_it_listens() -> None:
    configured = yaml.safe_load((ROOT / "images" / "compose" / "prometheus.yml").read_text(encoding="utf-8"))
    (job,) = configured["scrape_configs"]
    assert job["job_name"] == "dynaboard"
    targets = {target for each in job["static_configs"] for target in each["targets"]}
    checked = {
        name: SERVICES[name]["healthcheck"]["test"][-1] for name in ("gateway", "upload", "evaluator", "scoring")
    }
    assert targets == {f"{name}:{address.rsplit(':', 1)[1].partition('/')[0]}" for name, address in checked.items()}


def test_grafana_finds_its_dashboards_and_prometheus() -> None:
    volumes = [volume.split(":")[:2] for volume in SERVICES["grafana"]["volumes"]]
    inside = {target: ROOT / source for source, target in volumes if source.startswith("./")}
    (provider,) = yaml.safe_load((GRAFANA / "dashboards" / "dynaboard.yml").read_text(encoding="utf-8"))["providers"]
    assert inside[provider["options"]["path"]] == MONITORING / "dashboards"
    assert list((MONITORING / "dashboards").glob("*.json"))
    (source,) = yaml.safe_load((GRAFANA / "datasources" / "prometheus.yml").read_text(encoding="utf-8"))["datasources"]
    assert (source["type"], source["url"], source["isDefault"]) == ("prometheus", "http://prometheus:9090", True)
    assert {inside[f"/etc/grafana/provisioning/{kind}"].name for kind in ("dashboards", "datasources")} == {
        "dashboards",
        "datasources",
    }
