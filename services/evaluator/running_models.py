"""What Prometheus sees of the models that run here: how many, their memory, and which submission is evaluated."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from dynaboard.errors import PlatformFailure
from dynaboard.runtime import Predictor
from dynaboard.tables import Submission
from dynaboard.telemetry import (
    EVALUATION,
    EVALUATION_DATASET,
    EVALUATION_EXAMPLES,
    EVALUATION_EXAMPLES_DONE,
    MODEL_MEMORY_BYTES,
    MODEL_REQUEST_SECONDS,
    MODELS_RUNNING,
)
from services.evaluator.deployers import Deployment
from services.evaluator.deployers.purpose import EVALUATED, INTERACTIVE, Purpose
from services.evaluator.plan import Unit


class RunningModels:
    """The deployments of this process by purpose. Their memory is read when Prometheus asks, and only then."""

    def __init__(self) -> None:
        self._deployments: dict[str, list[Deployment]] = {EVALUATED: [], INTERACTIVE: []}
        for purpose, deployments in self._deployments.items():
            MODELS_RUNNING.labels(purpose).set_function(partial(len, deployments))
            MODEL_MEMORY_BYTES.labels(purpose).set_function(partial(_memory, deployments))

    def add(self, deployment: Deployment, purpose: Purpose) -> None:
        """It has been started."""
        self._deployments[purpose].append(deployment)

    def remove(self, deployment: Deployment, purpose: Purpose) -> None:
        """It is to be stopped; silence if that is known."""
        if deployment in self._deployments[purpose]:
            self._deployments[purpose].remove(deployment)


def _memory(deployments: list[Deployment]) -> float:
    """Bytes of all of them, asked at once: pods that do not answer delay Prometheus by one patience, not by each's."""
    running = list(deployments)
    with ThreadPoolExecutor(len(running) or 1) as asked:
        return float(sum(asked.map(_resident, running)))


def _resident(deployment: Deployment) -> int:
    try:
        return deployment.server.resident()
    except PlatformFailure:  # not ready yet
        return 0


def timed(predictor: Predictor, purpose: Purpose) -> Predictor:
    """The same predictor, whose requests are timed from now on."""
    predictor.on_reply = MODEL_REQUEST_SECONDS.labels(purpose).observe
    return predictor


@contextmanager
def evaluated(submission: Submission) -> Iterator[None]:
    """Show which submission is evaluated while the block lasts. A process evaluates one at a time."""
    name = (submission.manifest or {}).get("name", "")
    EVALUATION.labels(submission.id, f"{submission.owner}/{name} v{submission.version}", submission.task).set(1)
    try:
        yield
    finally:
        EVALUATION.clear()
        for count in (EVALUATION_EXAMPLES, EVALUATION_EXAMPLES_DONE):
            count.set(0)


@contextmanager
def predicted(unit: Unit) -> Iterator[None]:
    """Show which dataset or copy is predicted, and then measured, while the block lasts."""
    EVALUATION_DATASET.labels(unit.dataset.name, unit.copy.suite if unit.copy else "").set(1)
    EVALUATION_EXAMPLES.set(unit.evaluation.total)
    try:
        yield
    finally:
        EVALUATION_DATASET.clear()
