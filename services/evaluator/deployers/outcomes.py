"""How starts of models end, counted for Prometheus alike by every deployer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.watchdog import needs_more_memory
from dynaboard.telemetry import DEPLOYMENT_READY_SECONDS, DEPLOYMENTS, WATCHDOG_KILLS
from services.evaluator.deployers.purpose import REFERENCE, Purpose

NOT_READY = "The model is not ready."
STOPPED_EARLY = "The model was stopped before it started."
OUTCOMES = ("ready", "model", "platform", "stopped")


def show(deployer: str) -> None:
    """Have its series begin at zero."""
    for outcome in OUTCOMES:
        DEPLOYMENTS.labels(deployer, outcome)


def label(deployer: str, purpose: Purpose) -> str:
    """What it is counted as: the reference model is nobody's submission."""
    return f"{deployer}-{REFERENCE}" if purpose == REFERENCE else deployer


@contextmanager
def step(deployer: str, stopped: Callable[[], bool]) -> Iterator[None]:
    """One step of a start: counted when it fails. What a model does once it is told to stop is not its fault."""
    outcome = "platform"
    try:
        yield
        outcome = ""
    except ModelFailure:
        if stopped():
            raise PlatformFailure("The model was stopped while it started.") from None
        outcome = "model"
        raise
    finally:
        if outcome:
            DEPLOYMENTS.labels(deployer, "stopped" if outcome == "platform" and stopped() else outcome).inc()


def ready(deployer: str, seconds: float) -> None:
    """A start that succeeded, and how long it took from the launch."""
    DEPLOYMENTS.labels(deployer, "ready").inc()
    DEPLOYMENT_READY_SECONDS.labels(deployer).observe(seconds)


def killed(verdict: str | None, limits: Limits) -> None:
    """Count a model that was killed for taking too much; None: it was not."""
    if verdict:
        WATCHDOG_KILLS.labels("memory" if verdict == needs_more_memory(limits) else "processes").inc()
