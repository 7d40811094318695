"""The programs that `helm test` runs, run here: what they find and how they say it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from services.evaluator.deployers.kubernetes.manifest import OURS, UID
from tests.charts.rendered import CHART, MODELS, VALUES, documents, of_kind

REACHES_NOTHING = CHART / "files" / "reaches-nothing.py"
ASKS_GATEWAY = CHART / "files" / "asks-gateway.py"
# A network namespace of its own stands for a network that enforces the policy.
ALONE = ["unshare", "--map-root-user", "--net"]
CAN_BE_ALONE = subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0


@contextmanager
def listening() -> Iterator[int]:
    """A port that accepts connections."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def try_all(target: str, mode: str, before: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "KUBERNETES_SERVICE_HOST": "127.0.0.1",
        "KUBERNETES_SERVICE_PORT": "1",
        "TARGETS": target,
        "MODE": mode,
    }
    command = [*before, sys.executable, "-I", str(REACHES_NOTHING)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_what_a_model_can_reach_is_told_loudly() -> None:
    with listening() as port:
        done = try_all(f"127.0.0.1:{port}", "strict", [])
    assert done.returncode == 1
    assert f"REACHED: 127.0.0.1:{port}\n" in done.stdout
    assert "FAILED: this cluster's network plugin does not enforce NetworkPolicy" in done.stdout


def test_it_can_be_a_warning() -> None:
    with listening() as port:
        done = try_all(f"127.0.0.1:{port}", "warn", [])
    assert done.returncode == 0
    assert "WARNING: this cluster's network plugin does not enforce NetworkPolicy" in done.stdout


@pytest.mark.skipif(not CAN_BE_ALONE, reason="this machine lets nobody make a network namespace (unshare --net)")
def test_a_model_that_reaches_nothing_passes() -> None:
    done = try_all("demo-dynaboard-gateway.prod.svc:80", "strict", ALONE)
    assert (done.returncode, done.stderr) == (0, "")
    assert "PASSED" in done.stdout
    assert "REACHED:" not in done.stdout.replace("not reached:", "")


@pytest.mark.parametrize("name", VALUES)
def test_the_pod_that_tries_is_what_the_policies_take_for_a_model(name: str) -> None:
    (pod,) = (d for d in of_kind(name, "Pod") if d["metadata"]["name"].endswith("-test-network"))
    labels = pod["metadata"]["labels"]
    assert labels["app.kubernetes.io/name"] == OURS["app.kubernetes.io/name"]
    # But not for one of its own, which an evaluator would remove.
    assert not OURS.items() <= labels.items()
    assert pod["metadata"]["namespace"] == (MODELS if name != "as little as possible" else "elsewhere")
    assert pod["spec"]["securityContext"]["runAsUser"] == UID


def test_the_pod_that_tries_knows_whom_to_try() -> None:
    (pod,) = (d for d in of_kind("trial", "Pod") if d["metadata"]["name"].endswith("-test-network"))
    environment = {env["name"]: env["value"] for env in pod["spec"]["containers"][0]["env"]}
    services = {
        f"{d['metadata']['name']}.prod.svc:{port['port']}"
        for d in documents("trial")
        if d["kind"] == "Service"
        for port in d["spec"]["ports"]
    }
    assert set(environment["TARGETS"].split()) == services
    assert environment["MODE"] == "strict"


def test_the_programs_in_the_pods_are_the_files() -> None:
    programs = {d["metadata"]["name"]: d["spec"]["containers"][0]["command"][2] for d in of_kind("trial", "Pod")}
    assert programs == {
        "demo-dynaboard-test-gateway": ASKS_GATEWAY.read_text(encoding="utf-8"),
        "demo-dynaboard-test-network": REACHES_NOTHING.read_text(encoding="utf-8"),
    }
