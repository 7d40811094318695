"""Pods deleted in the middle of evaluations: they finish, nothing is lost or doubled, and owners read why."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.kubernetes.cluster import is_ready, until
from tests.e2e.kubernetes.history import watched
from tests.e2e.kubernetes.installation import Installation
from tests.e2e.kubernetes.submissions import SLOW, write_model

# Examples of the two example datasets and of the variants of the first: some twenty seconds of predicting.
SECONDS_AN_EXAMPLE = 0.06


@pytest.fixture
def submit(platform: Installation, tmp_path: Path) -> Callable[[str], str]:
    """Hand in a slow model of this name; return its id as soon as it is predicting."""

    def handed_in(name: str) -> str:
        folder = write_model(tmp_path, name, SLOW.format(seconds=SECONDS_AN_EXAMPLE))
        submission_id = platform.submit(folder)
        until(lambda: progress(platform, submission_id) > 8, 240, f"{name} predicts")
        return submission_id

    return handed_in


def progress(found: Installation, submission_id: str) -> int:
    """The examples predicted so far."""
    with found.client() as platform:
        return sum(each.done for each in platform.submissions.get(submission_id).evaluations)


def assert_whole(found: Installation, submission_id: str, folder: Path) -> str:
    """Finished, every example predicted once, and every number comes out of the predictions again; what status says."""
    view = found.ended(submission_id)
    assert view.status == "finished", f"{view.reason}\n{found.described()}"
    assert {(each.status, each.done == each.total) for each in view.evaluations} == {("finished", True)}
    found.cli("bundle", submission_id, "--output", str(folder / "bundle.tar"))
    command = [sys.executable, "-m", "dynaboard.cli", "verify", str(folder / "bundle.tar")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return found.cli("status", submission_id)


def test_deleting_the_pods_of_gateway_upload_and_scoring_in_mid_evaluation_is_not_noticed(
    platform: Installation, submit: Callable[[str], str], tmp_path: Path
) -> None:
    submission_id = submit("while-the-others-go")
    delete_pods(platform, "gateway", "upload", "scoring")
    assert "It took longer" not in assert_whole(platform, submission_id, tmp_path)


def test_deleting_the_evaluators_pod_in_mid_evaluation_hands_the_evaluation_to_the_next(
    platform: Installation, submit: Callable[[str], str], tmp_path: Path
) -> None:
    submission_id = submit("while-the-evaluator-goes")
    delete_pods(platform, "evaluator")
    said = assert_whole(platform, submission_id, tmp_path)
    assert "It took longer: the evaluator that ran it was replaced." in said


def delete_pods(found: Installation, *services: str) -> None:
    """kubectl delete pod: all pods of these services; wait until there is a new one of each."""
    before = {pod.metadata.uid for pod in found.pods()}
    for service in services:
        for pod in found.pods(service):
            found.cluster.delete_pod(pod)
    for service in services:
        until(partial(replaced, found, service, before), 240, f"a new {service} is ready")


def replaced(found: Installation, service: str, before: set[str]) -> bool:
    """Whether a new pod is ready."""
    return any(is_ready(pod) and pod.metadata.uid not in before for pod in found.pods(service))


def test_deleting_the_models_pod_in_mid_evaluation_is_nobodys_loss_and_its_owner_reads_why_it_took_longer(
    platform: Installation, submit: Callable[[str], str], tmp_path: Path
) -> None:
    submission_id = submit("while-its-pod-goes")
    with watched(platform.cluster, platform.models) as history:
        (pod,) = platform.model_pods("evaluation")
        platform.cluster.delete_pod(pod)
        said = assert_whole(platform, submission_id, tmp_path)
    assert "It took longer: " in said
    assert len({life.pod.metadata.uid for life in history.of("evaluation")}) == 2


def test_a_killed_evaluators_pod_is_swept_and_its_evaluation_goes_on_in_another(
    platform: Installation, submit: Callable[[str], str], tmp_path: Path
) -> None:
    submission_id = submit("while-the-evaluator-is-killed")
    done = progress(platform, submission_id)
    (orphan,) = platform.model_pods("evaluation")
    (evaluator,) = platform.pods("evaluator")
    platform.cluster.delete_pod(evaluator, grace_s=0)

    def swept() -> bool:
        return orphan.metadata.uid not in {pod.metadata.uid for pod in platform.model_pods()}

    until(swept, 180, "the orphan is swept")
    assert "It took longer: the evaluator that ran it was " in assert_whole(platform, submission_id, tmp_path)
    assert progress(platform, submission_id) > done
    until(lambda: not platform.model_pods("evaluation"), 60, "no pod is left")
