"""An evaluator that must fence models does not start where it cannot."""

from pathlib import Path

import pytest

from dynaboard.errors import PlatformFailure
from dynaboard.runtime.sandbox import complaint, sandbox_kind
from dynaboard.storage import Storage
from services.evaluator.deployers.local import LocalDeployer
from services.evaluator.settings import EvaluatorSettings


def test_a_required_sandbox_that_does_not_work_ends_the_start(
    settings: EvaluatorSettings, storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"DYNABOARD_SANDBOX=required.*bubblewrap is not installed"):
        LocalDeployer(settings.model_copy(update={"sandbox": "required"}), storage)


def test_a_preferred_one_may_be_missing(
    settings: EvaluatorSettings, storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert LocalDeployer(settings, storage).clean() == []


def test_a_required_sandbox_that_works_is_no_hindrance(settings: EvaluatorSettings, storage: Storage) -> None:
    if complaint():
        pytest.skip(f"no sandbox here: {complaint()}")
    assert LocalDeployer(settings.model_copy(update={"sandbox": "required"}), storage).clean() == []


def test_no_model_runs_without_a_required_sandbox_that_stops_working(
    settings: EvaluatorSettings, storage: Storage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it works is asked once, at the start: on a busy machine a second answer might come too late to be yes."""
    if complaint():
        pytest.skip(f"no sandbox here: {complaint()}")
    model = LocalDeployer(settings.model_copy(update={"sandbox": "required"}), storage).start_reference("here")
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox_kind.cache_clear()
    model.fetch()
    with pytest.raises(PlatformFailure, match="worker did not start"):
        model.wait_ready()
    model.stop()
    sandbox_kind.cache_clear()
