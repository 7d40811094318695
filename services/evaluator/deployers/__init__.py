"""What starts and stops model servers, named in one dict; every one passes tests/evaluator/test_deployers.py."""

from collections.abc import Callable
from typing import Protocol

from dynaboard.manifest import Manifest
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import ModelServer, Predictor
from dynaboard.storage import Storage
from services.evaluator.archives import Archive
from services.evaluator.deployers.local import LocalDeployer
from services.evaluator.settings import EvaluatorSettings


class Deployment(Protocol):
    """One model that is starting, running or stopped."""

    def wait_ready(self) -> float:
        """Fetch, start and wait; return the cold start in seconds. Raises ModelFailure, or PlatformFailure.

        Blocks; a `stop` from another thread ends it with PlatformFailure.
        """

    @property
    def manifest(self) -> Manifest:
        """What the archive says about the model; once it is ready."""

    @property
    def server(self) -> ModelServer:
        """What measurements look at: processes, limits, sandbox; once it is ready."""

    def predictor(self, task: Task) -> Predictor:
        """A connection to the model, to be used as an async context manager."""

    def alive(self) -> bool:
        """Whether the server runs."""

    def log(self, length: int) -> bytes:
        """The last `length` bytes of what the model printed; empty when it never started."""

    def stop(self) -> None:
        """End it and remove all it left; may be called at any time and again."""


class Deployer(Protocol):
    """Where models run."""

    def start(self, archive: Archive) -> Deployment:
        """Prepare to run a submitted model; returns at once, holding no more than `stop` lets go of."""

    def clean(self) -> list[str]:
        """Remove what killed evaluators left; return the names."""


DEPLOYERS: dict[str, Callable[[EvaluatorSettings, Storage], Deployer]] = {"local": LocalDeployer}
