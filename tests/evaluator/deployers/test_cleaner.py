"""What killed evaluators left goes while this one works, not only when it starts."""

import pytest

from dynaboard.errors import PlatformFailure
from dynaboard.storage import Storage
from services.evaluator.deployers import cleaner
from services.evaluator.deployers.cleaner import Cleaner
from services.evaluator.deployers.local import LocalDeployer
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.world import wait_until


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look every hundredth of a second."""
    monkeypatch.setattr(cleaner, "PERIOD_S", 0.01)


def test_an_abandoned_run_is_removed_now_and_then(settings: EvaluatorSettings, storage: Storage) -> None:
    cleaning = Cleaner(LocalDeployer(settings, storage))
    cleaning.start()
    try:
        for name in ("runs", "reference"):
            left = settings.data_dir / name / "of-a-killed-one"
            left.mkdir(parents=True)
            wait_until(lambda left=left: not left.exists())  # type: ignore[misc]
    finally:
        cleaning.stop()


def test_a_cluster_that_does_not_answer_is_asked_again(settings: EvaluatorSettings, storage: Storage) -> None:
    class Away(LocalDeployer):
        looks = 0

        def clean(self) -> list[str]:
            Away.looks += 1
            if Away.looks < 3:
                raise PlatformFailure("The cluster does not answer.")
            return super().clean()

    cleaning = Cleaner(Away(settings, storage))
    cleaning.start()
    try:
        wait_until(lambda: Away.looks > 3)
    finally:
        cleaning.stop()
