"""One model behind one TorchServe: start it, wait until it answers, watch it, stop it and everything it started."""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dynaboard import guardian
from dynaboard.errors import DynaboardError, ModelFailure, PlatformFailure
from dynaboard.runtime import failures, processes, torchserve
from dynaboard.runtime.calls import listens, post
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.model_log import ModelLog, end_of
from dynaboard.runtime.sandbox import worker_plan
from dynaboard.runtime.server_processes import ServerProcesses
from dynaboard.runtime.watchdog import Watchdog

if TYPE_CHECKING:  # measurement stands on runtime, not the other way round
    from dynaboard.measurement.host import ThisMachine

# TorchServe takes 2.4 s to say goodbye and keeps nothing worth saving.
GRACE_S = 0.2
TORCHSERVE_START_S = 60.0
POLL_S = 0.02
PROBE_S = 30.0
# Of what TorchServe and Java say of their failures, the end (bytes).
WORDS = 64 * 1024
# A worker's socket path is this folder and 20 characters more; the kernel allows 107.
LONGEST_FOLDER = 85


class ModelServer:
    """A running model server. `start_server` makes one; `stop()` must be called, also after a failure.

    `exit_status` is how it ended by itself, None while it runs and when `stop()` ended it.
    """

    def __init__(self, instance: torchserve.Instance, run_dir: Path, limits: Limits, sandbox: str) -> None:
        command = torchserve.command(instance)  # first, for it says what is not installed
        self.limits = limits
        self.sandbox = sandbox
        self.run_dir = run_dir
        self.log_path = run_dir / "model.log"
        self.address = instance.inference_address
        self.cold_start_s: float | None = None
        self.exit_status: int | None = None
        self.stopped = False
        self._instance = instance
        self._started = time.monotonic()
        self._log = ModelLog(self.log_path, instance.log_pipe)
        self._output = (run_dir / "server.out").open("wb")
        self._process = subprocess.Popen(
            guardian.command(command, grace_s=GRACE_S),
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=subprocess.STDOUT,
            cwd=instance.folder,
            env=torchserve.java_environment(instance),
            start_new_session=True,
        )
        self.processes = ServerProcesses(self._process.pid, self.alive, sandbox)
        self._watchdog = Watchdog(self.processes.tree, limits, self._log)
        self._watchdog.start()

    @property
    def inference_socket(self) -> Path:
        """The Unix socket that answers `POST /predictions/model`."""
        return Path(self.address.removeprefix("unix:"))

    @property
    def verdict(self) -> str | None:
        """The sentence for which the model was killed (memory, processes), if it was."""
        return self._watchdog.verdict

    @property
    def host(self) -> "ThisMachine":
        """The machine we run on, as measurements look at it."""
        from dynaboard.measurement.host import ThisMachine

        return ThisMachine()

    def ended_by(self) -> DynaboardError | None:
        """Whose fault it was that the server hung up, None where nobody knows."""
        return ModelFailure(self.verdict) if self.verdict else None

    def resident(self) -> int:
        """Bytes of memory that the model's processes hold now; pages they share count for each of them."""
        return processes.resident(self.worker_pids())

    def wait_ready(self) -> float:
        """Wait until the model is loaded; return the cold start in seconds, from the launch to the first answer.

        Raises ModelFailure with the author's own exception when the handler cannot be loaded, PlatformFailure when
        Java or TorchServe fail. The server is stopped then; its log stays.
        """
        if self.cold_start_s is None:
            try:
                self._wait_for_torchserve()
                self._register()
                self.processes.note_worker()
                self._ask_whether_loaded()
            except (ModelFailure, PlatformFailure):
                self.stop()
                raise
            self.cold_start_s = time.monotonic() - self._started
        return self.cold_start_s

    def _wait_for_torchserve(self) -> None:
        deadline = self._started + TORCHSERVE_START_S
        while not listens(self._instance.management_socket):
            if not self.alive() or time.monotonic() > deadline:
                raise PlatformFailure(f"TorchServe did not start: {self._last_words()}")
            time.sleep(POLL_S)

    def _register(self) -> None:
        """Have TorchServe load the model; it answers when the worker is ready or has died."""
        started = time.monotonic()
        request = {"url": torchserve.MODEL, "model_name": torchserve.MODEL, "initial_workers": 1, "synchronous": True}
        management, patience_s = self._instance.management_socket, self.limits.startup_s + 10
        try:
            # Unlinked before the model runs: in a pod it has our user, and this socket asks nobody for a password.
            status, said = post(f"unix:{management}", "/models", request, patience_s, management.unlink)
        except OSError:
            status, said = 0, {}
            self._end_soon()
        if status == 200:
            return
        if self.verdict:
            raise ModelFailure(self.verdict)
        if time.monotonic() - started >= self.limits.startup_s:
            raise ModelFailure(f"load() did not finish within {self.limits.startup_s:g} s.")
        if not self.alive() or not self.log_tail(1):
            raise PlatformFailure(f"The model's worker did not start: {said.get('message', '')} {self._last_words()}")
        raise ModelFailure(failures.DIED.format(where="load()"))

    def _ask_whether_loaded(self) -> None:
        try:
            status, said = post(self.address, "/predictions/model", {}, PROBE_S)
        except OSError as error:
            raise PlatformFailure(f"The model server does not answer: {error}; {self._last_words()}") from error
        if said.get("failure"):
            raise failures.told(said["failure"], self.limits)
        if status != 200:
            raise failures.refused(status, said)

    def _end_soon(self) -> None:
        """Give a server that hung up a moment to be gone, so that it is known how it ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE_S)

    def _last_words(self) -> str:
        files = (self.run_dir / "server.out", self._instance.log)
        lines = [line for file in files for line in end_of(file, WORDS).decode(errors="replace").splitlines()]
        said = [line for line in lines if not line.startswith("\t")]  # Java's stack frames
        return " ".join(" ".join(said).split())[-600:] or "it said nothing"

    def worker_pids(self) -> list[int]:
        """The model's processes, without the sandbox's own two."""
        return self.processes.model()

    def server_pids(self) -> list[int]:
        """TorchServe's own process, which is no part of the model: Java, when it runs."""
        return self.processes.server()

    def on_log(self, told: Callable[[bytes], None]) -> None:
        """Have somebody told what the model prints, as it does."""
        self._log.on_text = told

    def ended(self, patience_s: float) -> int | None:
        """Its exit status if it ended by itself, or does so within `patience_s`; None when we ended it or it runs."""
        if not self.stopped:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience_s)
            return self._process.returncode
        return self.exit_status

    def forbid_restart(self) -> None:
        """Have TorchServe start no worker any more."""
        (self._instance.folder / "python").unlink(missing_ok=True)

    def log_tail(self, length: int) -> str:
        """The last `length` characters the model printed, tracebacks of its failures among them."""
        return self._log.tail(length)

    def alive(self) -> bool:
        """Whether the server runs (the model in it may still have died)."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Stop the server and everything it started; may be called again. The model's log stays: see `discard`."""
        if not self.stopped:
            self.exit_status = self._process.poll()
        self.stopped = True
        self._watchdog.stop()
        survivors = processes.handles({*processes.descendants(self._process.pid), *self.processes.tree()})
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()  # the guardian's sign to stop Java and its group
        try:
            self._process.wait(GRACE_S + 5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        processes.kill(survivors, timeout_s=5)
        self._log.close()
        self._output.close()
        shutil.rmtree(self._instance.folder, ignore_errors=True)

    def discard(self) -> None:
        """Stop and remove everything, the log too."""
        self.stop()
        shutil.rmtree(self.run_dir, ignore_errors=True)


def start_server(
    model_dir: Path, handler: str, run_dir: Path, limits: Limits, python: Path | None = None, kind: str | None = None
) -> ModelServer:
    """Start `handler` ("handler.py:Handler") from an unpacked submission; return at once.

    `run_dir` is made and holds the model's log; `python` runs the model (default: ours), in a sandbox of this `kind`
    (default: the best that works). Raises PlatformFailure when Java or TorchServe is not installed.
    """
    plan = worker_plan(model_dir, handler, run_dir, limits, python, kind)
    return launch(plan, run_dir, limits)


def launch(plan: dict[str, object], run_dir: Path, limits: Limits, address: str | None = None) -> ModelServer:
    """Start a planned worker behind a TorchServe that listens on `address` (default: a Unix socket of its own)."""
    run_dir = run_dir.resolve()
    (run_dir / "scratch").mkdir(parents=True, exist_ok=True)
    folder = run_dir / "ts"
    if len(str(folder)) > LONGEST_FOLDER:
        folder = Path(tempfile.mkdtemp(prefix="dynaboard-", dir="/tmp"))
    instance = torchserve.Instance(folder, address or f"unix:{folder}/inf.sock", run_dir / "server.log")
    torchserve.write_files(instance, limits, plan)
    return ModelServer(instance, run_dir, limits, str(plan["sandbox"]))
