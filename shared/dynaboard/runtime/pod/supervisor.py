"""The life of one model in a pod: idle until told to start, then starting, ready, failed or ended, never back.

Whenever the model's part is over, because it failed, or TorchServe ended, or we are asked to stop, everything in the
container but us is killed before anybody is told: nothing of the model answers on the port after that.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dynaboard.errors import DynaboardError, Invalid, ModelFailure, PlatformFailure
from dynaboard.manifest import MANIFEST, MANIFEST_BYTES, read_manifest
from dynaboard.runtime import failures
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.pod import files
from dynaboard.runtime.pod.container import Container
from dynaboard.runtime.pod.control import failed
from dynaboard.runtime.pod.options import Options
from dynaboard.runtime.pod.shut_off import sweep
from dynaboard.runtime.pod.standard_output import StandardOutput
from dynaboard.runtime.sandbox import worker_plan
from dynaboard.runtime.server import ModelServer, launch
from dynaboard.runtime.watchdog import needs_more_memory

State = Literal["idle", "starting", "ready", "failed", "ended"]
SWEEP_S = 5.0
# A guardian tells how Java ended as soon as it has; one that says nothing was stopped, and only the model can do that.
GUARDIAN_S = 1.0
FILES_PERIOD_S = 2.0
# TorchServe answers the request in which a worker died at once, and starts another after a second.
LAST_ANSWER_S = 0.5
KILLED = "The model ended the server it runs in; it may end processes of its own only."


@dataclass(frozen=True)
class Standing:
    """Where the model stands. `failure` is why it is over, when it failed."""

    state: State = "idle"
    cold_start_s: float | None = None
    failure: DynaboardError | None = None


class Supervisor:
    """One model. `on_end` is called once when a model that was started has failed."""

    def __init__(self, options: Options, on_end: Callable[[], object]) -> None:
        self._options = options
        self._on_end = on_end
        self.container = Container()
        self._changed = threading.Condition()
        self._standing = Standing()
        self._over = False
        self._server: ModelServer | None = None

    @property
    def limits(self) -> Limits:
        """What the model may use."""
        return self._options.limits

    def start(self) -> None:
        """Start the model in the background, unless that has been done."""
        with self._changed:
            if self._standing.state != "idle":
                return
            self._standing = Standing("starting")
        threading.Thread(target=self._run, name="start", daemon=True).start()

    def _run(self) -> None:
        try:
            self._start()
        finally:  # whatever it was, nobody waits for a thread that has ended
            if self._standing.state == "starting":
                self._fail(PlatformFailure("The model could not be started."))
        if self._server and not self._over:
            self._watch_worker(self._server)

    def _start(self) -> None:
        try:
            server = self._launched()
            for watch in (self._watch_server, self._watch_files):
                threading.Thread(target=watch, args=(server,), name=watch.__name__, daemon=True).start()
            seconds = server.wait_ready()
        except (ModelFailure, PlatformFailure) as failure:
            self._fail(failure)
            return
        except OSError as error:
            self._fail(PlatformFailure(f"The model could not be started: {error}."))
            return
        with self._changed:
            if not self._over:
                self._standing = Standing("ready", seconds)
            self._changed.notify_all()

    def _launched(self) -> ModelServer:
        options = self._options
        try:
            with (options.model_dir / MANIFEST).open("rb") as file:
                handler = read_manifest(file.read(MANIFEST_BYTES)).handler or ""
        except OSError as error:
            raise PlatformFailure(f"There is no model in {options.model_dir}: {error.strerror}.") from error
        except Invalid as error:
            raise ModelFailure(error.detail) from error
        plan = worker_plan(options.model_dir, handler, options.run_dir, options.limits, kind="pod")
        with self._changed:
            if self._over:
                raise PlatformFailure("The model was stopped while it started.")
            self._server = launch(plan, options.run_dir, options.limits, f"http://{options.inference}")
        self._server.on_log(StandardOutput().write)
        return self._server

    def _watch_worker(self, server: ModelServer) -> None:
        """Wait for the end of the model's own process. Another one would start from files that the model can change."""
        server.processes.await_worker_end()
        if server.stopped:
            return
        server.processes.kill_model()
        with contextlib.suppress(OSError):  # where the model closed its folder to us, there is no time for answers
            server.forbid_restart()
            time.sleep(LAST_ANSWER_S)
        if server.processes.server_runs():
            self._fail(ModelFailure(failures.DIED.format(where="predict()")))

    def _watch_server(self, server: ModelServer) -> None:
        """Wait for TorchServe's end. What kills it, if not we, may be about to take its port."""
        server.processes.await_server_end()
        if not server.stopped:
            server.processes.kill_model()
            self._fail(PlatformFailure("The model's server ended by itself."))

    def _watch_files(self, server: ModelServer) -> None:
        while not server.stopped:
            if found := files.complaint((Path("/tmp"), self._options.run_dir), self.limits):
                self._fail(ModelFailure(found))
                return
            time.sleep(FILES_PERIOD_S)

    def _fail(self, failure: DynaboardError) -> None:
        """The first failure counts; it is told when nothing runs any more."""
        failure = self._blamed(failure)
        with self._changed:
            if self._over:
                return
            self._over = True
        self._clear()
        with self._changed:
            self._standing = Standing("failed", self._standing.cold_start_s, failure)
            self._changed.notify_all()
        self._on_end()

    def _blamed(self, failure: DynaboardError) -> DynaboardError:
        """A failure of ours is the model's where it brought it about."""
        if verdict := self.verdict:
            return ModelFailure(verdict)
        server = self._server
        if isinstance(failure, ModelFailure) or server is None:
            return failure
        status = server.ended(GUARDIAN_S)
        if status is None:  # it runs, or its guardian was stopped
            return failure if server.stopped else ModelFailure(KILLED)
        # By a signal, as Python and as a shell tell it: in a pod nobody else is there to send one.
        return ModelFailure(KILLED) if status < 0 or status > 128 else failure

    def _clear(self) -> None:
        sweep(SWEEP_S)
        if self._server:
            self._server.stop()

    def stop(self) -> None:
        """End the model, if it runs. Blocks until nothing of it does."""
        with self._changed:
            self._over = True
            if self._standing.state != "failed":
                self._standing = Standing("ended", self._standing.cold_start_s)
            self._changed.notify_all()
        self._clear()

    @property
    def server(self) -> ModelServer | None:
        """The model's server, once it has been launched."""
        return self._server

    @property
    def failure(self) -> DynaboardError | None:
        """Why the model failed, if it did."""
        return self._standing.failure

    @property
    def verdict(self) -> str | None:
        """The sentence for which the model was killed, by our watchdog or by the kernel; None while all is well."""
        if self._server and self._server.verdict:
            return self._server.verdict
        return needs_more_memory(self._options.limits) if self.container.was_out_of_memory() else None

    @property
    def ready(self) -> bool:
        """Whether the model is loaded and its server runs."""
        return self._standing.state == "ready" and self._alive()

    def _alive(self) -> bool:
        return self._standing.state in ("starting", "ready") and self._server is not None and self._server.alive()

    def settled(self, patience_s: float) -> dict[str, Any]:
        """Where the model stands, as it is told over the wire; once it does not start any more, or after so long."""
        deadline = time.monotonic() + patience_s
        with self._changed:
            while self._standing.state in ("idle", "starting") and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(left)
            standing = self._standing
        return {
            "state": standing.state,
            "cold_start_s": standing.cold_start_s,
            "failure": failed(standing.failure)["failure"] if standing.failure else None,
            "verdict": self.verdict,
            "sandbox": "pod",
            "alive": self._alive(),
        }
