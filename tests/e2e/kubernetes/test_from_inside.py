"""What strangers' code finds in a model's pod: tried by a hostile model, and by commands run as the model's user."""

import json
from pathlib import Path
from typing import Any

import pytest
from kubernetes import client

from tests.e2e.kubernetes import prober
from tests.e2e.kubernetes.cluster import is_ready, until
from tests.e2e.kubernetes.installation import MODEL_MEMORY_MIB, Installation, selector
from tests.e2e.kubernetes.submissions import HUNGRY, SLOW, write_model


@pytest.fixture(scope="module")
def probed(shared_installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a hostile model found, as it printed it."""
    folder = write_model(tmp_path_factory.mktemp("hostile"), "hostile", "")
    (folder / "handler.py").write_text(Path(prober.__file__).read_text())
    (folder / "targets.json").write_text(json.dumps(targets(shared_installation)))
    submission_id = shared_installation.submit(folder)
    view = shared_installation.ended(submission_id)
    log = shared_installation.cli("log", submission_id)
    assert view.status == "finished", f"{view.reason}\n{log}"
    lines = [json.loads(line.partition(prober.PROBED)[2]) for line in log.splitlines() if prober.PROBED in line]
    merged: dict[str, Any] = {}
    for line in lines:
        merged |= line
    return merged


def targets(found: Installation) -> list[str]:
    """Addresses that a model has no business with: the API server, every service, the database, the store, itself."""
    api = found.cluster.core.read_namespaced_service("kubernetes", "default")
    services = found.cluster.core.list_namespaced_service(found.namespace, label_selector=selector()).items
    addresses = [
        f"{service.spec.cluster_ip}:{port.port}"
        for service in [api, *services]
        for port in service.spec.ports
        if service.spec.cluster_ip != "None"
    ]
    pods = [
        f"{pod.status.pod_ip}:{pod.spec.containers[0].ports[0].container_port}"
        for pod in found.pods()
        if pod.spec.containers[0].ports
    ]
    return [*addresses, *pods, "127.0.0.1:8080", "127.0.0.1:8081", "169.254.169.254:80", "1.1.1.1:53"]


def test_a_model_reaches_no_server_at_all(probed: dict[str, Any]) -> None:
    assert len(probed["connections"]) > 8
    assert {address: said for address, said in probed["connections"].items() if said == "connected"} == {}
    assert not probed["resolved"][0].isdigit()


def test_a_model_finds_no_token_no_secret_and_no_name_of_ours_in_its_environment(probed: dict[str, Any]) -> None:
    assert probed["secrets"] == []
    ours = {"DYNABOARD", "KUBERNETES", "AWS", "TOKEN", "SECRET", "KEY", "PASSWORD", "DATABASE"}
    assert {name for name in probed["environment"] if set(name.upper().split("_")) & ours} == set()


def test_a_model_can_read_no_other_process_environment_that_holds_the_pods_token(probed: dict[str, Any]) -> None:
    own = str(probed["own"])
    assert "1" in probed["environments"]
    assert probed["environments"]["1"].startswith("PermissionError")
    telling = {number for number, text in probed["environments"].items() if "DYNABOARD_POD_TOKEN" in text}
    assert telling - {own} == set()
    assert not probed["memories"]["1"].startswith("opened")


def test_a_model_cannot_write_its_root_or_its_own_files(probed: dict[str, Any]) -> None:
    assert probed["model"] != "written"
    allowed = ("/tmp", "/run/dynaboard", "/dev/shm", "/dev/mqueue")
    assert [folder for folder in probed["writable"] if not folder.startswith(allowed)] == []


def test_a_model_sees_inputs_and_never_a_label(probed: dict[str, Any]) -> None:
    assert set(probed["fields"]) <= {"id", "statement"}


def test_a_model_has_no_capability_and_cannot_gain_one(probed: dict[str, Any]) -> None:
    status = probed["status"]
    assert int(status["CapEff"], 16) == 0
    assert status["NoNewPrivs"] == "1"
    assert status["Seccomp"] == "2"
    assert "0" not in status["Uid"].split()


def test_a_model_that_outgrows_its_memory_fails_by_its_own_fault_and_is_told_the_limit(
    platform: Installation, tmp_path: Path
) -> None:
    folder = write_model(tmp_path, "hungry", HUNGRY)
    view = platform.ended(platform.submit(folder))
    assert (view.status, view.failure) == ("failed", "model")
    assert f"needs more than the {MODEL_MEMORY_MIB} MiB" in (view.reason or "")


@pytest.fixture(scope="module")
def model_pod(shared_installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The pod of a model that is being evaluated, for the length of this module's tests."""
    folder = write_model(tmp_path_factory.mktemp("slow"), "slow-inside", SLOW.format(seconds=2))
    submission_id = shared_installation.submit(folder)

    def loaded() -> client.V1Pod | None:
        pods = [pod for pod in shared_installation.model_pods("evaluation") if is_ready(pod)]
        return pods[0] if pods else None

    yield until(loaded, 240, "the model is loaded in its pod")
    shared_installation.cli("cancel", submission_id)
    until(lambda: not shared_installation.model_pods("evaluation"), 60, "its pod is removed")


def test_who_gets_a_shell_in_the_pod_is_an_ordinary_user_on_a_file_system_that_cannot_be_written(
    platform: Installation, model_pod: client.V1Pod
) -> None:
    def run(command: str) -> Any:
        return platform.cluster.run(model_pod, ["sh", "-c", command])

    assert run("id -u").output.strip() == "65532"
    for folder in ("/", "/opt", "/usr/bin", "/etc", "/model", "/home"):
        assert run(f"touch {folder}/probe").code != 0, folder
    assert run("cat /proc/1/environ").code != 0
    assert run("ls /var/run/secrets/kubernetes.io").code != 0


ASK = """
import sys, urllib.request, urllib.error
for path, token in (("/status", ""), ("/status", "Bearer wrong"), ("/log?length=100", ""), ("/healthz", "")):
    headers = {"Authorization": token} if token else {}
    request = urllib.request.Request(f"http://{sys.argv[1]}:8081{path}", headers=headers)
    try:
        print(urllib.request.urlopen(request, timeout=5).status)
    except urllib.error.HTTPError as error:
        print(error.code)
    except OSError as error:
        print("unreached")
"""


def test_the_control_port_obeys_nobody_without_the_pods_own_token(
    platform: Installation, model_pod: client.V1Pod
) -> None:
    for address in ("127.0.0.1", model_pod.status.pod_ip):
        done = platform.cluster.run(model_pod, ["python", "-c", ASK, address])
        assert done.output.split() == ["401", "401", "401", "200"], done.output


def test_the_api_server_knows_no_one_who_asks_from_the_pod(platform: Installation, model_pod: client.V1Pod) -> None:
    ask = (
        "import os, ssl, urllib.request, urllib.error\n"
        "url = f\"https://{os.environ['KUBERNETES_SERVICE_HOST']}/api/v1/namespaces/default/secrets\"\n"
        "try: print(urllib.request.urlopen(url, timeout=5, context=ssl._create_unverified_context()).status)\n"
        "except urllib.error.HTTPError as error: print(error.code)\n"
        "except OSError: print('unreached')\n"
    )
    said = platform.cluster.run(model_pod, ["python", "-c", ask]).output.strip()
    assert said in {"401", "403", "unreached"}
