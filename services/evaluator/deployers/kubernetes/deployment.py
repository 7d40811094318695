"""One model in one pod: made, given its archive, started, watched, removed."""

import json
import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from dynaboard.errors import DynaboardError, PlatformFailure
from dynaboard.manifest import Manifest
from dynaboard.nlp_tasks import Task
from dynaboard.runtime import Predictor
from dynaboard.runtime.control import PodAddress, Unreachable
from dynaboard.runtime.pod.options import CONTROL_PORT, INFERENCE_PORT
from dynaboard.runtime.remote import RemoteServer
from services.evaluator.archives import Parcel
from services.evaluator.deployers import outcomes
from services.evaluator.deployers.kubernetes import verdict
from services.evaluator.deployers.kubernetes.cluster import Cluster, Json
from services.evaluator.deployers.kubernetes.manifest import MODEL, Identity, Terms
from services.evaluator.deployers.kubernetes.manifest import pod as manifest_of
from services.evaluator.deployers.kubernetes.patience import Patience

LOG = logging.getLogger(__name__)
POLL_S = 0.25
# Until a container that runs answers, the longest pause of the archive on its way, and of unpacking it (seconds).
LISTEN_S, PUSH_S = 60.0, 600.0
LONGEST_STATUS = 4_000
# A connection breaks before the cluster knows why.
LATEST_NEWS_S = 8.0


@dataclass(frozen=True)
class Site:
    """Where pods are made, on which terms, and how long they are waited for (seconds)."""

    cluster: Cluster
    terms: Terms
    scheduling_s: float
    image_pull_s: float


class PodDeployment:
    """See Deployment. `gone` is called once when it has been removed."""

    def __init__(self, site: Site, identity: Identity, parcel: Parcel, node: str, gone: Callable[[], None]) -> None:
        self._site = site
        self._identity = identity
        self._parcel = parcel
        self._node = node
        self._gone = gone
        self._stopped = threading.Event()
        self._making = threading.Lock()
        self._pod: Json | None = None
        self._server: RemoteServer | None = None
        self._manifest: Manifest | None = None
        self._removed = False

    def settle(self, say: Callable[[str], None]) -> None:
        """See Deployment."""
        with self._step():
            with self._making:
                self._go_on()
                self._pod = self._site.cluster.create(manifest_of(self._identity, self._site.terms, self._node))
            patience = Patience(self._site.scheduling_s, self._site.image_pull_s, time.monotonic())
            while not verdict.receives(pod := self._look()):
                say(patience.waits_for(pod, time.monotonic()))
                self._stopped.wait(POLL_S)
            self._pod = pod
            self._server = RemoteServer(self._address(pod), self._site.terms.limits, self._post_mortem)

    @property
    def place(self) -> str:
        """See Deployment: the name of its node."""
        node = ((self._pod or {}).get("spec") or {}).get("nodeName")
        if not node:
            raise PlatformFailure("The model has no machine yet.")
        return str(node)

    def fetch(self) -> None:
        """See Deployment. We send the archive, so that the pod needs neither a credential nor a way out."""
        with self._step():
            server = self.server
            try:
                server.wait_listening("receive", LISTEN_S, self._stopped.is_set)
                self._manifest = server.push(self._parcel.chunks(), PUSH_S)
                while not verdict.runs(self._look()):
                    self._stopped.wait(POLL_S)
                server.wait_listening("serve", LISTEN_S, self._stopped.is_set)
            except Unreachable as silence:
                raise self._post_mortem() or silence from silence

    def wait_ready(self) -> float:
        """See Deployment. Counts from the launch in the pod: without its scheduling, its image and the archive."""
        with self._step():
            self._go_on()
            server = self.server
            server.start()
            seconds = server.wait_ready()
        outcomes.ready(self._label, seconds)
        return seconds

    @property
    def manifest(self) -> Manifest:
        """See Deployment."""
        if self._manifest is None:
            raise PlatformFailure(outcomes.NOT_READY)
        return self._manifest

    @property
    def server(self) -> RemoteServer:
        """See Deployment."""
        if self._server is None:
            raise PlatformFailure(outcomes.NOT_READY)
        return self._server

    def predictor(self, task: Task) -> Predictor:
        """See Deployment."""
        return Predictor(self.server, task, self._site.terms.limits.predict_s)

    def alive(self) -> bool:
        """See Deployment."""
        return self._manifest is not None and not self._stopped.is_set() and self.server.alive()

    def log(self, length: int) -> bytes:
        """See Deployment. From the pod's own program while it runs, else from the node."""
        if self._server is None or self._removed:
            return b""
        text = self._server.log_tail(length).encode()[-length:]
        return text or self._site.cluster.log(self._identity.name, MODEL, length)

    def stop(self) -> None:
        """See Deployment. The pod has two seconds left; what the cluster does not take back now, the sweep removes."""
        self._stopped.set()
        with self._making:
            if self._removed:
                return
            self._removed = True
            try:
                if self._pod is not None:
                    self._count_kill()
                    self._site.cluster.delete(self._identity.name)
            except PlatformFailure as failure:
                LOG.warning("the pod %s is left to the sweep: %s", self._identity.name, failure.detail)
            finally:
                self._gone()

    def _count_kill(self) -> None:
        if self._manifest is not None:
            outcomes.killed(self.server.verdict, self._site.terms.limits)

    @property
    def _label(self) -> str:
        return outcomes.label("kubernetes", self._identity.purpose)

    def _step(self) -> AbstractContextManager[None]:
        return outcomes.step(self._label, self._stopped.is_set)

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise PlatformFailure(outcomes.STOPPED_EARLY)

    def _look(self) -> Json:
        """The pod as it is. Raises what has become of it."""
        self._go_on()
        pod = self._site.cluster.pod(self._identity.name)
        if failure := self._fate(pod):
            raise failure
        return pod or {}

    def _fate(self, pod: Json | None) -> DynaboardError | None:
        failure = verdict.fate(pod, self._site.terms.limits, self._site.terms.disk_bytes)
        if failure and not self._stopped.is_set():
            status = json.dumps((pod or {}).get("status"))
            LOG.warning("the pod %s: %s It is: %s", self._identity.name, failure.detail, status[:LONGEST_STATUS])
        return failure

    def _post_mortem(self) -> DynaboardError | None:
        """What became of a pod that does not answer; None when the cluster has not noticed anything for a while."""
        deadline = time.monotonic() + LATEST_NEWS_S
        try:
            while True:
                failure = self._fate(self._site.cluster.pod(self._identity.name))
                if failure or self._stopped.is_set() or time.monotonic() > deadline:
                    return failure
                self._stopped.wait(POLL_S)
        except PlatformFailure as silence:
            return silence

    def _address(self, pod: Json) -> PodAddress:
        host = str(pod["status"]["podIP"])
        host = f"[{host}]" if ":" in host else host
        control, inference = (f"http://{host}:{port}" for port in (CONTROL_PORT, INFERENCE_PORT))
        return PodAddress(self._identity.name, control, inference, self._identity.token)
