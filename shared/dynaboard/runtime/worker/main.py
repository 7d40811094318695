"""A TorchServe worker that lives in a sandbox: takes the limits upon itself, then speaks TorchServe's protocol.

Stock TorchServe imports torch for one isinstance() and so costs every model 200 MB and a second; here torch is imported
only if the submitter's code does so. Arguments: our job (JSON), then TorchServe's own.
"""

import contextlib
import ctypes
import json
import logging
import os
import resource
import runpy
import signal
import socket
import sys
import types
from typing import Any

PR_SET_PDEATHSIG = 1


def take_limits(limits: dict[str, int], refusals: list[str]) -> None:
    """Set the limits of this process and of all it starts, and die with the parent even without a sandbox.

    `refusals` names functions of seccomp.py.
    """
    for name, value in limits.items():
        number = getattr(resource, name)
        _, hard = resource.getrlimit(number)
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (allowed, allowed))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        # Where memory runs out, it is the model that ends, not what watches it and can say so.
        with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write("1000")
    seccomp = beside("seccomp.py")
    for refusal in refusals:
        seccomp[refusal]()


def beside(name: str) -> dict[str, Any]:
    """What a file of this folder defines. Not an import: a submitter's own module may have any name."""
    return runpy.run_path(os.path.join(os.path.dirname(__file__), name))


def import_torchserve_without_torch() -> Any:
    """Import TorchServe's worker with an empty stand-in for torch that nobody else ever sees."""
    stand_in = types.ModuleType("torch")
    stand_in.Tensor = type("Tensor", (), {})  # type: ignore[attr-defined]
    sys.modules["torch"] = stand_in
    import ts.model_service_worker

    del sys.modules["torch"]
    return ts.model_service_worker


def silence(log: int) -> None:
    """From here on all that is printed goes to the model's log: TorchServe reads its workers' output as commands."""
    sys.stdout.flush()
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.WARNING, force=True)


def run(job: dict[str, Any]) -> None:
    """Load the model when TorchServe says so and answer until it hangs up."""
    torchserve = import_torchserve_without_torch()
    entry = types.ModuleType("dynaboard_entry")
    adapter = beside("adapter.py")["Adapter"](job)
    entry.handle = lambda data, context: adapter.handle(data) if data is not None else adapter.load()  # type: ignore[attr-defined]
    sys.modules["dynaboard_entry"] = entry
    arguments = torchserve.ArgParser.model_service_worker_args().parse_args()
    # TorchServe's class removes the socket's path and makes a socket of its own; ours is open already.
    worker = torchserve.TorchModelServiceWorker("unix", "unused.0", metrics_config=arguments.metrics_config)
    listener = socket.socket(fileno=job["listener"])
    logging.info("[PID]%d", os.getpid())
    logging.info("Torch worker started.")
    connection, _ = listener.accept()
    listener.close()
    silence(job["log"])
    worker.handle_connection(connection)


if __name__ == "__main__":
    job = json.loads(sys.argv.pop(1))
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    take_limits(job["limits"], job["refusals"])
    run(job)
