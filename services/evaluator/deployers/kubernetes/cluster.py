"""A thin shell over the cluster's API: pods of one namespace, as plain JSON.

The rights it needs there, and no others: `pods`: create, get, list, delete; `pods/log`: get. It asks instead of
watching, and reads no events (the scheduler's words are in a condition of the pod), no nodes, services or secrets.
"""

import contextlib
import json
import logging
import time
from collections.abc import Mapping
from typing import Any

import urllib3
from kubernetes import client, config

from dynaboard.errors import PlatformFailure

LOG = logging.getLogger(__name__)
# Every call ends after so long (seconds): connecting, then each reading.
PATIENCE = (5, 30)
# An API server that is being replaced is asked again for so long.
OUTAGE_S = 60.0
PAUSE_S = 1.0
LINES, BLOCK = 10_000, 64 * 1024
REFUSED = "The cluster refused what the platform asked of it ({status}); the platform's log says why."
# Answers that pass: two wrote at once, too many requests, and what is said while an API server restarts.
PASSING = frozenset({409, 429, 500, 502, 503, 504})
Json = Mapping[str, Any]


class Cluster:
    """The pods of one namespace. All methods block; all raise PlatformFailure when the cluster refuses or is away."""

    def __init__(self, namespace: str) -> None:
        """In a pod: as its service account; else as KUBECONFIG says. Raises PlatformFailure when there is neither."""
        settings = client.Configuration()
        try:
            config.load_incluster_config(settings)
        except config.ConfigException:
            try:
                config.load_kube_config(client_configuration=settings)
            except config.ConfigException as error:
                raise PlatformFailure(f"No Kubernetes cluster: {error}. Set KUBECONFIG.") from error
        self.namespace = namespace
        self._pods = client.CoreV1Api(client.ApiClient(settings))

    def create(self, manifest: Json) -> Json:
        """Create a pod; one of that name that is there already is ours, from an attempt whose answer was lost."""
        try:
            return self._asked(self._pods.create_namespaced_pod, self.namespace, manifest)
        except Missing as error:
            raise PlatformFailure(f"The cluster has no namespace {self.namespace}.") from error
        except Exists:
            return self.pod(manifest["metadata"]["name"]) or {}

    def pod(self, name: str) -> Json | None:
        """One pod; None when there is none."""
        try:
            return self._asked(self._pods.read_namespaced_pod, name, self.namespace)
        except Missing:
            return None

    def pods(self, selector: str) -> list[Json]:
        """The pods with these labels."""
        found = self._asked(self._pods.list_namespaced_pod, self.namespace, label_selector=selector)
        return list(found["items"])

    def delete(self, name: str) -> None:
        """Have a pod removed, if it is there; returns at once."""
        with contextlib.suppress(Missing):
            self._asked(self._pods.delete_namespaced_pod, name, self.namespace)

    def log(self, name: str, container: str, length: int) -> bytes:
        """The end of what a container printed, about `length` bytes; empty when there is nothing to read."""
        try:
            answer = self._pods.read_namespaced_pod_log(
                name,
                self.namespace,
                container=container,
                tail_lines=LINES,
                _preload_content=False,
                _request_timeout=PATIENCE,
            )
            kept = b""
            for block in answer.stream(BLOCK):  # a stranger's lines may be long
                kept = (kept + block)[-length:]
            answer.release_conn()
            return kept
        except (client.ApiException, urllib3.exceptions.HTTPError):
            return b""

    def close(self) -> None:
        """Hang up."""
        self._pods.api_client.close()

    def _asked(self, call: Any, *arguments: Any, **options: Any) -> Json:
        """One call; where the cluster is away for a while, again. Raises PlatformFailure, Missing or Exists."""
        deadline = time.monotonic() + OUTAGE_S
        while True:
            try:
                answer = call(*arguments, **options, _preload_content=False, _request_timeout=PATIENCE)
                found: Json = json.loads(answer.data)
                return found
            except client.ApiException as error:
                told = _told(error)
                if error.status not in PASSING or isinstance(told, Exists) or time.monotonic() > deadline:
                    raise told from error
            except (urllib3.exceptions.HTTPError, OSError) as error:
                if time.monotonic() > deadline:
                    raise PlatformFailure("The cluster does not answer.") from error
            time.sleep(PAUSE_S)


class Missing(PlatformFailure):
    """The cluster has no such thing."""


class Exists(PlatformFailure):
    """The cluster has one of that name already."""


def _told(error: Any) -> PlatformFailure:
    try:
        said = json.loads(error.body)
        reason, message = str(said["reason"]), str(said["message"])
    except (TypeError, ValueError, KeyError):
        reason, message = "", str(error.reason)
    # Its words name accounts and nodes, which are no submitter's business.
    expected = {"NotFound": Missing, "AlreadyExists": Exists}.get(reason)
    if expected is None:
        LOG.warning("the cluster answered %s %s: %s", error.status, reason, message[:1000])
    return (expected or PlatformFailure)(REFUSED.format(status=error.status))
