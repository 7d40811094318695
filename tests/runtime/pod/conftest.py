"""Pods for the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from dynaboard.runtime import Limits
from dynaboard.runtime.sandbox import sandbox_kind
from tests.runtime.conftest import LIMITS
from tests.runtime.pod.pods import PodProcess, pack

ECHO = """
    class Handler:
        def load(self, model_dir):
            print("loaded from", model_dir)

        def predict(self, examples):
            return [{"id": e["id"], "label": "positive", "prob": {"positive": 1 / (1 + len(e["statement"])),
                     "negative": 1 - 1 / (1 + len(e["statement"]))}} for e in examples]
"""


class MakePod(Protocol):
    """Makes a pod with these limits; it is removed after the test."""

    def __call__(self, limits: Limits = LIMITS) -> PodProcess: ...


@pytest.fixture(autouse=True, scope="session")
def _needs_bubblewrap() -> None:
    if sandbox_kind() != "bubblewrap":
        pytest.skip("bubblewrap does not work on this machine, and these pods stand on it")


@pytest.fixture
def make_pod() -> Iterator[MakePod]:
    """Pods that are removed after the test."""
    made: list[PodProcess] = []

    def make(limits: Limits = LIMITS) -> PodProcess:
        made.append(PodProcess(limits))
        return made[-1]

    yield make
    for pod in made:
        pod.remove()


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """The archive of an honest model."""
    return pack(tmp_path, ECHO)
