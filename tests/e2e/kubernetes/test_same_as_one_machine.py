"""A model costs and answers in a pod what it does on one machine: the platform on this machine, and the cluster."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dynaboard import archive
from dynaboard.client import Client
from dynaboard.embedded import free_port
from examples.local_platform import local_platform
from tests.e2e.kubernetes.evaluations import add_datasets, ended
from tests.e2e.kubernetes.installation import MODEL_MEMORY_MIB, Installation

WITHIN = 0.05


def test_answers_are_the_same_byte_for_byte_on_this_machine(
    platform: Installation, models: Path, tmp_path: Path
) -> None:
    folder = models / "fasttext-sentiment"
    submission_id = platform.submit(folder)
    assert platform.ended(submission_id).status == "finished"
    platform.cli("bundle", submission_id, "--output", str(tmp_path / "bundle.tar"))

    command = [sys.executable, "-m", "dynaboard.cli", "rerun", str(tmp_path / "bundle.tar"), "--model", str(folder)]
    done = subprocess.run([*command, "--trusted", "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert said["same"]
    assert sum(each["examples"] for each in said["evaluations"]) > 100


@pytest.mark.parametrize("kind", ["majority", "fasttext"])
def test_memory_in_a_pod_is_that_on_one_machine_within_five_percent(
    platform: Installation, models: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = models / f"{kind}-sentiment"
    submission_id = platform.submit(folder)
    assert platform.ended(submission_id).status == "finished"
    with platform.client() as there:
        in_pod = memory(there, submission_id)
    here = on_one_machine(folder, monkeypatch)
    print(f"{kind}: {in_pod:.5f} GiB in a pod, {here:.5f} GiB on one machine, ratio {in_pod / here:.4f}")
    assert abs(in_pod / here - 1) < WITHIN


def on_one_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> float:
    """The memory of the same model on the platform as `make run` starts it, with the same limits and profile."""
    monkeypatch.setenv("DYNABOARD_MODEL_MEMORY_BYTES", str(MODEL_MEMORY_MIB * 1024**2))
    monkeypatch.setenv("DYNABOARD_MEASUREMENT_PROFILE", "quick")
    # Not below pytest's own folder: each new run of pytest closes that to other users, and as root PostgreSQL is one.
    with TemporaryDirectory(prefix="dynaboard-e2e-") as name, local_platform(Path(name), free_port()) as local:
        archive.build(folder, Path(name) / "model.zip")
        with Client(local.url, local.key) as platform:
            add_datasets(platform)
            submission_id = platform.submissions.submit(Path(name) / "model.zip").id
            assert ended(platform, submission_id).status == "finished"
            return memory(platform, submission_id)


def memory(platform: Client, submission_id: str) -> float:
    """The memory on the scoring dataset, in GiB."""
    found = [
        score.value
        for score in platform.submissions.scores(submission_id)
        if score.metric == "memory" and score.role == "scoring" and not score.perturbation_digest
    ]
    return found[-1]
