"""What pods a namespace had: watched from the side, since a model's pod is gone when its evaluation is over."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kubernetes import client, watch

from tests.e2e.kubernetes.cluster import Cluster


@dataclass
class Life:
    """A pod: as it was last seen, and when it held its node."""

    pod: client.V1Pod
    bound_at: datetime | None = None
    gone_at: datetime | None = None

    @property
    def purpose(self) -> str:
        """What it ran for: evaluation, reference or interactive."""
        return str((self.pod.metadata.labels or {}).get("dynaboard.org/purpose", ""))

    def overlaps(self, other: "Life") -> bool:
        """Whether both held their nodes at one moment."""
        if self.bound_at is None or other.bound_at is None:
            return False
        now = datetime.now(UTC)
        return self.bound_at < (other.gone_at or now) and other.bound_at < (self.gone_at or now)


@dataclass
class History:
    """The pods seen so far, by name."""

    lives: dict[str, Life] = field(default_factory=dict)

    def of(self, purpose: str) -> list[Life]:
        """Those of one purpose, in the order of their nodes' taking."""
        found = [life for life in list(self.lives.values()) if life.purpose == purpose and life.bound_at]
        return sorted(found, key=lambda life: life.bound_at or datetime.max)

    def note(self, kind: str, pod: client.V1Pod) -> None:
        """One thing that the API server told."""
        life = self.lives.setdefault(pod.metadata.uid, Life(pod))
        life.pod = pod
        if life.bound_at is None and pod.spec.node_name:
            life.bound_at = datetime.now(UTC)
        over = kind == "DELETED" or pod.status.phase in ("Succeeded", "Failed")
        if over and life.gone_at is None:
            life.gone_at = datetime.now(UTC)


@contextmanager
def watched(cluster: Cluster, namespace: str) -> Iterator[History]:
    """Note every pod that comes and goes during the block."""
    history, stopping = History(), threading.Event()
    watching = threading.Thread(target=_watch, args=(cluster, namespace, history, stopping), daemon=True)
    watching.start()
    try:
        yield history
    finally:
        stopping.set()
        watching.join(5)


def _watch(cluster: Cluster, namespace: str, history: History, stopping: threading.Event) -> None:
    with client.ApiClient(cluster.configuration) as api:
        listing = client.CoreV1Api(api).list_namespaced_pod
        while not stopping.is_set():
            for event in watch.Watch().stream(listing, namespace, timeout_seconds=2):
                history.note(event["type"], event["object"])
        api.rest_client.pool_manager.clear()
