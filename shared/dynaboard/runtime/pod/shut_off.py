"""What the supervisor does to itself before any stranger's code runs beside it, under its own user."""

import contextlib
import ctypes
import os
import resource
import signal

from dynaboard.runtime import processes
from dynaboard.runtime.worker.seccomp import refuse_calls

SET_DUMPABLE, SET_CHILD_SUBREAPER = 4, 36


def shut_off() -> None:
    """Take our memory, environment and files from the model's sight, and adopt the processes that it orphans.

    The calls that a model is refused are refused from here on to all that runs in the container: a model that has
    TorchServe start another worker, by a file it changed, is not rid of the filter. Call it before any thread starts.
    """
    libc = ctypes.CDLL(None)
    # Not dumpable: /proc/PID/{environ,mem,fd,…} are root's, and nobody of our user may trace us.
    libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)
    libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    refuse_calls()


def reap(child: int | None) -> None:
    """Bury orphans that have ended. Our own child's end is not taken from whoever waits for it."""
    for pid in processes.children(os.getpid()):
        if pid != child:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue


def sweep(patience_s: float) -> None:
    """Kill everything but us. As process 1 of a container in one call, which nothing outruns by forking."""
    if os.getpid() == 1:
        with contextlib.suppress(ProcessLookupError):  # nobody is left
            os.kill(-1, signal.SIGKILL)
    processes.kill_all(lambda: processes.descendants(os.getpid()), patience_s)
