"""Models as sandboxed TorchServe processes on this machine."""

import socket
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from dynaboard.archive import Contents
from dynaboard.errors import PlatformFailure
from dynaboard.manifest import Manifest
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Limits, ModelServer, Predictor, sandbox, start_server
from dynaboard.storage import Storage
from services.evaluator.archives import Archive, Parcel, fetch_archive, parcel_of
from services.evaluator.deployers import outcomes
from services.evaluator.deployers.purpose import REFERENCE, Purpose
from services.evaluator.deployers.reference_model import reference_parcel
from services.evaluator.settings import EvaluatorSettings
from services.evaluator.workspace import Workspace, remove_abandoned

NO_SANDBOX = (
    "models may run only in a sandbox here (DYNABOARD_SANDBOX=required), and bubblewrap does not work: {complaint}. "
    "docs/settings.md and docs/compose.md say what it needs"
)


@dataclass(frozen=True)
class Terms:
    """How a model is run: within which limits, by which Python (none: ours), on which machine, counted as what.

    `sandbox` is the only one it may run in; None: the best that works.
    """

    limits: Limits
    python: Path | None
    place: str
    label: str
    sandbox: str | None


class LocalDeployment:
    """One model in one folder. `_preparing` is held while files are laid out, so that `stop` removes all of them."""

    def __init__(self, terms: Terms, workspace: Workspace, parcel: Parcel) -> None:
        self._terms = terms
        self._workspace = workspace
        self._parcel = parcel
        self._preparing = threading.Lock()
        self._stopped = threading.Event()
        self._removed = False
        self._contents: Contents | None = None
        self._server: ModelServer | None = None

    def settle(self, say: Callable[[str], None]) -> None:
        """See Deployment. It is here."""

    @property
    def place(self) -> str:
        """See Deployment."""
        return self._terms.place

    def fetch(self) -> None:
        """See Deployment."""
        with self._step(), self._preparing:
            self._go_on()
            folder = self._workspace.folder / "model"
            self._contents = fetch_archive(self._parcel, folder, self._stopped.is_set)

    def wait_ready(self) -> float:
        """See Deployment."""
        with self._step():
            with self._preparing:
                self._go_on()
                folder, run = self._workspace.folder / "model", self._workspace.folder / "run"
                handler, terms = self.manifest.handler or "", self._terms
                self._server = start_server(folder, handler, run, terms.limits, terms.python, terms.sandbox)
            seconds = self._server.wait_ready()
        outcomes.ready(self._terms.label, seconds)
        return seconds

    @property
    def manifest(self) -> Manifest:
        """See Deployment."""
        if self._contents is None:
            raise PlatformFailure(outcomes.NOT_READY)
        return self._contents.manifest

    @property
    def server(self) -> ModelServer:
        """See Deployment."""
        if self._server is None:
            raise PlatformFailure(outcomes.NOT_READY)
        return self._server

    def predictor(self, task: Task) -> Predictor:
        """See Deployment."""
        return Predictor(self.server, task, self._terms.limits.predict_s)

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
                outcomes.killed(self._server.verdict if self._server else None, self._terms.limits)
                self._workspace.remove()
            self._removed = True

    def _step(self) -> AbstractContextManager[None]:
        return outcomes.step(self._terms.label, self._stopped.is_set)

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise PlatformFailure(outcomes.STOPPED_EARLY)


@dataclass(frozen=True)
class LocalDeployer:
    """Runs models below `data_dir`/runs, the reference model below `data_dir`/reference."""

    settings: EvaluatorSettings
    storage: Storage

    def __post_init__(self) -> None:
        """Refuse, with a RuntimeError, to run models unfenced where a sandbox is required."""
        if self.settings.sandbox == "required" and (complaint := sandbox.complaint()):
            raise RuntimeError(NO_SANDBOX.format(complaint=complaint))

    def start(self, archive: Archive, purpose: Purpose) -> LocalDeployment:
        """See Deployer."""
        workspace = Workspace.make(self._runs, archive.submission_id)
        terms = self._terms(purpose, self.settings.runtime_python)
        return LocalDeployment(terms, workspace, parcel_of(self.storage, archive))

    def start_reference(self, place: str) -> LocalDeployment:
        """See Deployer. It runs with our own Python."""
        workspace = Workspace.make(self._references, REFERENCE)
        return LocalDeployment(self._terms(REFERENCE, None), workspace, reference_parcel())

    def clean(self) -> list[str]:
        """See Deployer."""
        return [*remove_abandoned(self._runs), *remove_abandoned(self._references)]

    def close(self) -> None:
        """See Deployer."""

    def _terms(self, purpose: Purpose, python: Path | None) -> Terms:
        place = self.settings.place or socket.gethostname()
        # Named, not asked for again: a busy machine may answer late, and the model would run without one.
        kind = "bubblewrap" if self.settings.sandbox == "required" else None
        return Terms(self.settings.limits, python, place, outcomes.label("local", purpose), kind)

    @property
    def _runs(self) -> Path:
        return self.settings.data_dir / "runs"

    @property
    def _references(self) -> Path:
        return self.settings.data_dir / "reference"
