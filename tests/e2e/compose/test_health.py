"""`docker compose up --wait` ends well: everything is healthy, monitored, and may do no more than it must."""

import json

import httpx
import pytest

from tests.e2e.compose.composition import Composition
from tests.e2e.kubernetes.cluster import until

OURS = ("s3", "upload", "evaluator", "scoring", "gateway")


def test_every_service_is_healthy_and_the_migrations_have_ended(platform: Composition) -> None:
    listed = [json.loads(line) for line in platform.compose("ps", "--all", "--format", "json").splitlines()]
    states = {each["Service"]: each["Health"] or (each["State"], each["ExitCode"]) for each in listed}
    assert states.pop("migrate") == ("exited", 0)
    assert set(OURS) | {"postgres", "prometheus"} <= set(states)
    assert set(states.values()) == {"healthy"}


def test_prometheus_reads_every_service_and_has_the_rules(platform: Composition) -> None:
    def up() -> set[str]:
        targets = httpx.get(f"{platform.prometheus}/api/v1/targets").json()["data"]["activeTargets"]
        return {target["labels"]["instance"].partition(":")[0] for target in targets if target["health"] == "up"}

    until(lambda: up() == {"gateway", "upload", "evaluator", "scoring"}, 60, "all targets are up")
    groups = httpx.get(f"{platform.prometheus}/api/v1/rules").json()["data"]["groups"]
    assert {rule["name"] for group in groups for rule in group["rules"]} >= {"DynaboardDown"}


@pytest.mark.parametrize("service", OURS)
def test_a_service_runs_without_root_without_capabilities_and_cannot_write_its_root(
    platform: Composition, service: str
) -> None:
    said = platform.compose("exec", "-T", service, "sh", "-c", "id -u; cat /proc/1/status; touch /opt/x 2>&1; true")
    status = dict(line.split(":\t", 1) for line in said.splitlines() if ":\t" in line)
    assert said.splitlines()[0] == "10001"
    assert {status[name].strip() for name in ("CapEff", "CapPrm", "CapBnd")} == {"0" * 16}
    assert status["NoNewPrivs"].strip() == "1"
    assert "Read-only file system" in said


def test_the_services_have_no_way_out(platform: Composition) -> None:
    attempt = "import socket; socket.create_connection(('1.1.1.1', 53), 3)"
    said = platform.compose("exec", "-T", "evaluator", "sh", "-c", f'python -c "{attempt}" 2>&1; true')
    assert "Network is unreachable" in said or "timed out" in said


def test_the_image_lists_what_it_is_made_of(platform: Composition) -> None:
    bill = json.loads(platform.compose("exec", "-T", "gateway", "cat", "/opt/sbom.cdx.json"))
    kinds = {component["purl"].split("/")[0] for component in bill["components"]}
    assert kinds == {"pkg:deb", "pkg:npm", "pkg:pypi"}
    assert "dynaboard" in {component["name"] for component in bill["components"]}
