"""What starts and stops model servers, named in one dict; every one passes tests/evaluator/test_deployers.py."""

from collections.abc import Callable
from typing import Protocol

from dynaboard.database import Database
from dynaboard.manifest import Manifest
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Predictor
from dynaboard.runtime.served import Served
from dynaboard.storage import Storage
from services.evaluator.archives import Archive
from services.evaluator.deployers.kubernetes.deployer import KubernetesDeployer
from services.evaluator.deployers.local import LocalDeployer
from services.evaluator.deployers.purpose import Purpose
from services.evaluator.settings import EvaluatorSettings


class Deployment(Protocol):
    """One model on its way, running or stopped. In order: `settle`, `fetch`, `wait_ready`, `stop`.

    Those block; a `stop` from another thread ends them with PlatformFailure.
    """

    def settle(self, say: Callable[[str], None]) -> None:
        """Find it a place. `say` is told, in plain words, what it waits for. Raises PlatformFailure."""

    @property
    def place(self) -> str:
        """The machine it runs on, as the measuring slot names it; once it has settled."""

    def fetch(self) -> None:
        """Bring the archive there and unpack it. Raises ModelFailure, PlatformFailure, or NotFound."""

    def wait_ready(self) -> float:
        """Start the model and wait; return the cold start in seconds. Raises ModelFailure, or PlatformFailure."""

    @property
    def manifest(self) -> Manifest:
        """What the archive says about the model; once it is fetched."""

    @property
    def server(self) -> Served:
        """What measurements look at: the host, limits, sandbox; once it is ready."""

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

    def start(self, archive: Archive, purpose: Purpose) -> Deployment:
        """Prepare to run a submitted model; returns at once, holding no more than `stop` lets go of."""

    def start_reference(self, place: str) -> Deployment:
        """The same for the reference model, on the very machine of the model that is measured beside it."""

    def clean(self) -> list[str]:
        """Remove what killed evaluators left; return the names. Called now and then, from one thread."""

    def close(self) -> None:
        """Nothing more will be started."""


DEPLOYERS: dict[str, Callable[[EvaluatorSettings, Storage, Database], Deployer]] = {
    "local": lambda settings, storage, _: LocalDeployer(settings, storage),
    "kubernetes": KubernetesDeployer,
}
"""Models as sandboxed TorchServe processes on this machine, or as pods of a cluster, which is asked for only then."""
