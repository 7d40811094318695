"""The main container's part: process 1, which starts the model when it is told to, watches it, and tells of it."""

import os
import signal
import threading
from dataclasses import asdict
from functools import partial

from dynaboard.errors import PlatformFailure
from dynaboard.measurement import canary, quiet
from dynaboard.measurement.hardware import hardware_profile
from dynaboard.measurement.samplers import Sampler
from dynaboard.runtime.pod.control import Call, ControlServer, Route, Routes, Said
from dynaboard.runtime.pod.memory_run import MemoryRun
from dynaboard.runtime.pod.options import ENDED, Options
from dynaboard.runtime.pod.shut_off import reap, shut_off
from dynaboard.runtime.pod.supervisor import Supervisor
from dynaboard.runtime.pod.termination import status_of, tell

# Of a failed model the log can be fetched for so long, then the container ends.
LINGER_S = 60.0
LONGEST_POLL_S = 30.0
REAP_S = 0.5
HEARD = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}


def serve(options: Options) -> int:
    """Run until we are told to end, or the model has failed; return the exit status."""
    # Blocked here, before there are threads: no thread takes them, and `_heard` says who sent them.
    signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
    shut_off()
    supervisor = Supervisor(options, _end_later)
    ControlServer(options.control, options.token, routes(supervisor)).begin()
    while not _heard_the_end():
        reap(supervisor.server.processes.own()[1] if supervisor.server else None)
    supervisor.stop()
    if supervisor.failure:
        tell(options.termination_log, supervisor.failure)
        return status_of(supervisor.failure)
    return ENDED


def _heard_the_end() -> bool:
    """Listen for a moment. Process 1 can tell what the model in its container sends, and does not listen to that."""
    heard = signal.sigtimedwait(HEARD, REAP_S)
    if heard is None or heard.si_signo == signal.SIGCHLD:
        return False
    return os.getpid() != 1 or heard.si_pid in (0, 1)


def _end() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def _end_later() -> None:
    timer = threading.Timer(LINGER_S, _end)
    timer.daemon = True
    timer.start()


def routes(supervisor: Supervisor) -> Routes:
    """What the control port answers."""
    memory = MemoryRun(partial(_sampler, supervisor))
    return {
        ("GET", "/healthz"): Route(lambda call: Said(200, {"role": "serve"}), guarded=False),
        ("GET", "/readyz"): Route(lambda call: Said(200 if supervisor.ready else 503, {}), guarded=False),
        ("POST", "/start"): Route(lambda call: Said(202, {}, supervisor.start)),
        ("POST", "/stop"): Route(lambda call: Said(202, {}, _end)),
        ("GET", "/status"): Route(lambda call: Said(200, supervisor.settled(_patience(call)))),
        ("GET", "/log"): Route(lambda call: Said(200, {"log": _log(supervisor, int(call.query.get("length", "0")))})),
        ("GET", "/memory"): Route(lambda call: Said(200, {"resident": _resident(supervisor)})),
        ("GET", "/processor"): Route(lambda call: Said(200, {"spent": _spent(supervisor)})),
        ("POST", "/memory/begin"): Route(partial(_begin, memory)),
        ("POST", "/memory/end"): Route(lambda call: Said(200, memory.end())),
        ("GET", "/hardware"): Route(lambda call: Said(200, asdict(hardware_profile(supervisor.limits)))),
        ("GET", "/reading"): Route(lambda call: Said(200, asdict(quiet.read()))),
        ("POST", "/canary"): Route(lambda call: Said(200, asdict(canary.sing()))),
    }


def _patience(call: Call) -> float:
    return min(float(call.query.get("patience", "0")), LONGEST_POLL_S)


def _log(supervisor: Supervisor, length: int) -> str:
    return supervisor.server.log_tail(length) if supervisor.server and length > 0 else ""


def _resident(supervisor: Supervisor) -> int:
    return supervisor.server.resident() if supervisor.server else 0


def _spent(supervisor: Supervisor) -> float:
    return supervisor.server.processes.spent() if supervisor.server else 0.0


def _sampler(supervisor: Supervisor, name: str) -> Sampler:
    if supervisor.server is None:
        raise PlatformFailure("The model has not been started.")
    return supervisor.container.sampler(supervisor.server, name)


def _begin(memory: MemoryRun, call: Call) -> Said:
    memory.begin(str(call.body.get("sampler", "auto")), float(call.body.get("hertz", 10)))
    return Said(200, {})
