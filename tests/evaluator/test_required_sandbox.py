"""An evaluator that must fence models does not start where it cannot."""

from pathlib import Path

import pytest

from dynaboard.runtime.sandbox import complaint
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
