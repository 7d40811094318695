"""How a container ends, told to Kubernetes: an exit status that only process 1 can choose, and a sentence.

A model could write the file of the sentence before, so whose fault it was is told by the status.
"""

import contextlib
import json
import os
from pathlib import Path

from dynaboard.errors import DynaboardError, ModelFailure
from dynaboard.runtime.pod.control import failed
from dynaboard.runtime.pod.options import MODEL_FAILED, PLATFORM_FAILED

# Kubernetes keeps 4096 bytes.
LONGEST_DETAIL = 900


def status_of(failure: DynaboardError) -> int:
    """The exit status that tells whose fault it was."""
    return MODEL_FAILED if isinstance(failure, ModelFailure) else PLATFORM_FAILED


def tell(log: Path, failure: DynaboardError) -> None:
    """Write the failure as JSON where Kubernetes reads it: {"kind": "model" | "platform", "detail": sentence}."""
    told = failed(failure)["failure"]
    text = json.dumps(told | {"detail": told["detail"][:LONGEST_DETAIL]}, ensure_ascii=False).encode()
    # Plain processes have no such file, and a model may have put something else in its place.
    with contextlib.suppress(OSError):
        file = os.open(log, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            os.write(file, text)
        finally:
            os.close(file)
