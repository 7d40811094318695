"""From what a model server says to a sentence for the author, and whose fault it is. Pure."""

from collections.abc import Mapping
from typing import Any

from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure, readable
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.watchdog import needs_more_memory

DIED = "The model's process died during {where}: it crashed, exited or was killed; its log may say why."
OUT_OF_MEMORY = 507


def told(failure: object, limits: Limits) -> ModelFailure:
    """The failure that a worker reported: {"where", "type", "message"}. A model can forge it, so it may be anything."""
    if not isinstance(failure, Mapping) or not failure:
        return past_the_runtime()
    if failure.get("type") == "MemoryError":
        return ModelFailure(needs_more_memory(limits))
    where, kind, message = (readable(str(failure.get(key, ""))[:500]) for key in ("where", "type", "message"))
    if kind == "TooLarge":
        return ModelFailure(f"{where} returned {message}.")
    return ModelFailure(f"{where} raised {kind}: {message}" if message else f"{where} raised {kind}.")


def past_the_runtime() -> ModelFailure:
    """The model speaks to TorchServe itself."""
    return ModelFailure("The model's process answered past the platform's runtime; return answers from predict().")


def too_slow(limits: Limits) -> ModelFailure:
    """predict() ran into its time limit."""
    return ModelFailure(f"predict() did not answer within {limits.predict_s:g} s.")


def refused(status: int, body: Mapping[str, Any]) -> DynaboardError:
    """TorchServe's answer to a prediction where it is not 200. It hides what a handler raised; our adapter does not."""
    kind, message = (readable(str(body.get(key, ""))[:300]) for key in ("type", "message"))
    if "died" in message or (status == 503 and "no worker" in message):
        return ModelFailure(DIED.format(where="predict()"))
    if status == OUT_OF_MEMORY:
        return ModelFailure("The model ran out of memory in predict().")
    if status == 503 and kind == "InternalServerException":
        return ModelFailure(f"predict() gave nothing that can be sent back ({message}).")
    if status >= 500:  # TorchServe passes on what status a worker says; what it says itself is above
        return past_the_runtime()
    return PlatformFailure(f"The model server refused a batch ({status} {kind}: {message}).")
