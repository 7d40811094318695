"""Runs one child process that must not outlive us: `python guardian.py [options] -- command …`.

The parent keeps the write end of our standard input open. When it ends for whatever reason, `kill -9` included, the
pipe closes and the child's whole process group is stopped: first politely, then by force. Standard library only, so
that it starts in about 20 ms under `-I -S`.
"""

import argparse
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


def command(
    child: Sequence[str], stop_signal: str = "SIGTERM", grace_s: float = 5.0, uid: int | None = None
) -> list[str]:
    """The command line that runs `child` under a guardian.

    Start it with `stdin=PIPE, start_new_session=True`; closing the pipe stops the child: `stop_signal` to its process
    group, then SIGKILL after `grace_s` seconds. With `uid` the child drops to that user and the group of that number.
    """
    as_user = [] if uid is None else ["--uid", str(uid)]
    options = ["--stop-signal", stop_signal, "--grace", str(grace_s), *as_user]
    return [sys.executable, "-I", "-S", os.path.abspath(__file__), *options, "--", *child]


def _die_with_guardian() -> None:
    """Linux: the kernel kills the child when the guardian itself is killed. Elsewhere the pipe is the only watch."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _stop(child: subprocess.Popen[bytes], stop_signal: signal.Signals, grace_s: float) -> None:
    _signal_group(child.pid, stop_signal)
    deadline = time.monotonic() + grace_s
    while child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    _signal_group(child.pid, signal.SIGKILL)


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return  # already gone


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--stop-signal", default="SIGTERM")
    parser.add_argument("--grace", type=float, default=5.0)
    parser.add_argument("--uid", type=int)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    stop_signal = signal.Signals[options.stop_signal]
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whoever started us may have blocked some, for itself
    if sys.platform == "linux":  # a child of our own user must not reach into us
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the pipe

    child = subprocess.Popen(
        options.command,
        stdin=subprocess.DEVNULL,
        process_group=0,
        user=options.uid,
        group=options.uid,
        extra_groups=[] if options.uid is not None else None,
        preexec_fn=_die_with_guardian,  # noqa: PLW1509 - no thread runs yet
    )
    signal.signal(signal.SIGTERM, lambda *_: _stop(child, stop_signal, options.grace))

    def watch() -> None:
        while os.read(0, 4096):
            pass
        _stop(child, stop_signal, options.grace)

    threading.Thread(target=watch, daemon=True).start()
    status = child.wait()
    _signal_group(child.pid, signal.SIGKILL)
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
