"""What strangers' code finds in the evaluator's container: nothing of it, for it sits behind bubblewrap there."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.compose.composition import Composition, run
from tests.e2e.kubernetes import prober
from tests.e2e.kubernetes.evaluations import ended
from tests.e2e.kubernetes.submissions import write_model

SERVERS = ("postgres:5432", "s3:9000", "gateway:8000", "upload:8001", "127.0.0.1:8002", "1.1.1.1:53")


@pytest.fixture(scope="module")
def probed(with_datasets: Composition, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a hostile model found, as it printed it."""
    folder = write_model(tmp_path_factory.mktemp("hostile"), "hostile", "")
    (folder / "handler.py").write_text(Path(prober.__file__).read_text())
    (folder / "targets.json").write_text(json.dumps(SERVERS))
    submission_id = with_datasets.submit(folder)
    with with_datasets.client() as client:
        view = ended(client, submission_id)
    log = with_datasets.dynaboard("log", submission_id)
    assert view.status == "finished", f"{view.reason}\n{log}"
    found: dict[str, Any] = {}
    for line in log.splitlines():
        if prober.PROBED in line:
            found |= json.loads(line.partition(prober.PROBED)[2])
    return found


def test_a_model_reaches_no_server(probed: dict[str, Any]) -> None:
    assert set(probed["connections"]) == set(SERVERS)
    assert "connected" not in probed["connections"].values()


def test_a_model_finds_no_secret_in_any_environment_that_it_can_read(
    probed: dict[str, Any], platform: Composition
) -> None:
    secrets = [value for name, value in platform.environment.items() if name.endswith(("_KEY", "_TOKEN", "_PASSWORD"))]
    assert len(secrets) > 4
    assert not [secret for secret in secrets if secret in json.dumps(probed)]
    assert "DYNABOARD" not in json.dumps(probed["environments"])
    assert probed["secrets"] == []


def test_a_model_sees_no_process_but_its_own(probed: dict[str, Any]) -> None:
    assert set(probed["environments"]) <= {"1", "2", "3", str(probed["own"])}


def test_a_model_has_no_capability_and_its_calls_are_filtered(probed: dict[str, Any]) -> None:
    assert probed["status"]["CapEff"] == "0" * 16
    assert probed["status"]["NoNewPrivs"] == "1"
    assert probed["status"]["Seccomp"] == "2"


def test_a_model_can_write_its_scratch_folders_alone(probed: dict[str, Any]) -> None:
    assert probed["model"] != "written"
    assert [folder for folder in probed["writable"] if not folder.startswith(("/tmp", "/dev/shm"))] == []


def test_an_evaluator_that_cannot_fence_models_does_not_start(platform: Composition) -> None:
    program = (
        "from services.evaluator.deployers.local import LocalDeployer\n"
        "from services.evaluator.settings import EvaluatorSettings\n"
        "try: LocalDeployer(EvaluatorSettings(sandbox='required'), None)\n"
        "except RuntimeError as error: print(error)"
    )
    image = platform.container("evaluator")["Config"]["Image"]
    said = run(["docker", "run", "--rm", "--entrypoint", "python", image, "-c", program], platform.environment)
    assert said.startswith("models may run only in a sandbox here (DYNABOARD_SANDBOX=required)")
