"""Models as sandboxed TorchServe processes on this machine."""

import threading
from dataclasses import dataclass
from pathlib import Path

from dynaboard.archive import Contents
from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.manifest import Manifest
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Limits, ModelServer, Predictor, sandbox, start_server
from dynaboard.runtime.watchdog import needs_more_memory
from dynaboard.storage import Storage
from dynaboard.telemetry import DEPLOYMENT_READY_SECONDS, DEPLOYMENTS, WATCHDOG_KILLS
from services.evaluator.archives import Archive, fetch_archive
from services.evaluator.settings import EvaluatorSettings
from services.evaluator.workspace import Workspace, remove_abandoned

NO_SANDBOX = (
    "models may run only in a sandbox here (DYNABOARD_SANDBOX=required), and bubblewrap does not work: {complaint}. "
    "docs/settings.md and docs/compose.md say what it needs"
)


class LocalDeployment:
    """One model in one folder. `_preparing` is held while files are laid out, so that `stop` removes all of them."""

    def __init__(self, settings: EvaluatorSettings, storage: Storage, workspace: Workspace, archive: Archive) -> None:
        self._settings = settings
        self._storage = storage
        self._workspace = workspace
        self._archive = archive
        self._preparing = threading.Lock()
        self._stopped = threading.Event()
        self._removed = False
        self._contents: Contents | None = None
        self._server: ModelServer | None = None

    def wait_ready(self) -> float:
        """See Deployment."""
        outcome = "platform"
        try:
            with self._preparing:
                server = self._launch()
            seconds = server.wait_ready()
            outcome = "ready"
            DEPLOYMENT_READY_SECONDS.labels("local").observe(seconds)
        except ModelFailure:
            if self._stopped.is_set():
                raise PlatformFailure("The model was stopped while it started.") from None
            outcome = "model"
            raise
        finally:
            stopped = outcome == "platform" and self._stopped.is_set()
            DEPLOYMENTS.labels("local", "stopped" if stopped else outcome).inc()
        return seconds

    def _launch(self) -> ModelServer:
        if self._stopped.is_set():
            raise PlatformFailure("The model was stopped before it started.")
        folder = self._workspace.folder / "model"
        self._contents = fetch_archive(self._storage, self._archive, folder, self._stopped.is_set)
        if self._stopped.is_set():
            raise PlatformFailure("The model was stopped before it started.")
        limits, python = limits_of(self._settings), self._settings.runtime_python
        handler = self.manifest.handler or ""
        self._server = start_server(folder, handler, self._workspace.folder / "run", limits, python)
        return self._server

    @property
    def manifest(self) -> Manifest:
        """See Deployment."""
        if self._contents is None:
            raise PlatformFailure("The model is not ready.")
        return self._contents.manifest

    @property
    def server(self) -> ModelServer:
        """See Deployment."""
        if self._server is None:
            raise PlatformFailure("The model is not ready.")
        return self._server

    def predictor(self, task: Task) -> Predictor:
        """See Deployment."""
        return Predictor(self.server, task, self._settings.model_predict_s)

    def alive(self) -> bool:
        """See Deployment."""
        return self._server is not None and not self._stopped.is_set() and self._server.alive()

    def log(self, length: int) -> bytes:
        """See Deployment."""
        return b"" if self._server is None else self._server.log_tail(length).encode()[-length:]

    def stop(self) -> None:
        """See Deployment."""
        self._stopped.set()
        with self._preparing:
            if self._server:
                self._server.stop()
            if not self._removed:
                self._count_kill()
                self._workspace.remove()
            self._removed = True

    def _count_kill(self) -> None:
        verdict = self._server.verdict if self._server else None
        if verdict:
            of_memory = verdict == needs_more_memory(limits_of(self._settings))
            WATCHDOG_KILLS.labels("memory" if of_memory else "processes").inc()


@dataclass(frozen=True)
class LocalDeployer:
    """Runs models below `data_dir`/runs."""

    settings: EvaluatorSettings
    storage: Storage

    def __post_init__(self) -> None:
        """Refuse, with a RuntimeError, to run models unfenced where a sandbox is required."""
        if self.settings.sandbox == "required" and (complaint := sandbox.complaint()):
            raise RuntimeError(NO_SANDBOX.format(complaint=complaint))

    @property
    def _runs(self) -> Path:
        return self.settings.data_dir / "runs"

    def start(self, archive: Archive) -> LocalDeployment:
        """See Deployer."""
        workspace = Workspace.make(self._runs, archive.submission_id)
        return LocalDeployment(self.settings, self.storage, workspace, archive)

    def clean(self) -> list[str]:
        """See Deployer."""
        return remove_abandoned(self._runs)


def limits_of(settings: EvaluatorSettings) -> Limits:
    """The limits every model gets."""
    return Limits(
        memory_bytes=settings.model_memory_bytes,
        threads=settings.model_threads,
        startup_s=settings.model_startup_s,
        predict_s=settings.model_predict_s,
        scratch_bytes=settings.model_scratch_bytes,
    )
