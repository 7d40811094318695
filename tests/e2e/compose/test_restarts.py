"""Containers that go in the middle of an evaluation: it finishes, nothing is lost or doubled."""

import sys
from pathlib import Path

import pytest

from tests.e2e.compose.composition import Composition, run
from tests.e2e.kubernetes.cluster import until
from tests.e2e.kubernetes.evaluations import ended
from tests.e2e.kubernetes.submissions import SLOW, write_model


@pytest.mark.parametrize("service", ["evaluator", "scoring", "upload", "gateway", "s3", "postgres"])
def test_killing_a_container_in_mid_evaluation_loses_nothing(
    with_datasets: Composition, tmp_path: Path, service: str
) -> None:
    submission_id = with_datasets.submit(write_model(tmp_path, f"while-{service}-goes", SLOW.format(seconds=0.04)))

    def predicted() -> int:
        with with_datasets.client() as client:
            return sum(each.done for each in client.submissions.get(submission_id).evaluations)

    until(lambda: predicted() > 8, 240, "the model predicts")
    with_datasets.replace(service)
    with with_datasets.client() as client:
        view = ended(client, submission_id)
    assert view.status == "finished", view.reason
    assert {(each.status, each.done == each.total) for each in view.evaluations} == {("finished", True)}
    bundle = str(tmp_path / "bundle.tar")
    with_datasets.dynaboard("bundle", submission_id, "--output", bundle)
    run([sys.executable, "-m", "dynaboard.cli", "verify", bundle], with_datasets.environment)
