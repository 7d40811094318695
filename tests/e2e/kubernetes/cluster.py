"""The cluster that KUBECONFIG names: what the tests ask of it, in a few words."""

import base64
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

from kubernetes import client, config, stream

T = TypeVar("T")
POLL_S = 0.3
# By this label a forgotten namespace is found: kubectl delete namespace --selector dynaboard.org/e2e
LABEL = "dynaboard.org/e2e"


@dataclass(frozen=True)
class Ran:
    """What a command in a container did."""

    code: int
    output: str


@dataclass(frozen=True)
class Cluster:
    """A cluster, and the rights to do anything in it."""

    configuration: client.Configuration
    core: client.CoreV1Api
    apps: client.AppsV1Api

    @contextmanager
    def streaming(self) -> Iterator[client.CoreV1Api]:
        """For exec and port-forward, which change the client that they run on: one of their own."""
        with client.ApiClient(self.configuration) as api:
            yield client.CoreV1Api(api)
            api.rest_client.pool_manager.clear()

    def close(self) -> None:
        """Close the connections."""
        self.core.api_client.rest_client.pool_manager.clear()

    def pods(self, namespace: str, selector: str = "") -> list[client.V1Pod]:
        """The pods with these labels, oldest first."""
        found = self.core.list_namespaced_pod(namespace, label_selector=selector).items
        return sorted(found, key=lambda pod: pod.metadata.creation_timestamp)

    def delete_pod(self, pod: client.V1Pod, grace_s: int | None = None) -> None:
        """kubectl delete pod; `grace_s` 0: killed at once."""
        given = {} if grace_s is None else {"grace_period_seconds": grace_s}
        self.core.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace, **given)

    def run(self, pod: client.V1Pod, command: Sequence[str], container: str | None = None) -> Ran:
        """kubectl exec: as the container's own user, outside of what its program does to itself."""
        name = container or pod.spec.containers[0].name
        where = (pod.metadata.name, pod.metadata.namespace)
        streams = {"stdin": False, "stdout": True, "stderr": True, "tty": False}
        with self.streaming() as core:
            ask = core.connect_get_namespaced_pod_exec
            wanted = {"container": name, "command": list(command), "_preload_content": False}
            running = stream.stream(ask, *where, **wanted, **streams)
            output = ""
            while running.is_open():
                running.update(timeout=60)
                output += running.read_stdout(timeout=0) if running.peek_stdout() else ""
                output += running.read_stderr(timeout=0) if running.peek_stderr() else ""
            code = running.returncode
            running.close()
        return Ran(code, output)

    def log(self, pod: client.V1Pod, container: str | None = None, lines: int = 200) -> str:
        """The last lines a container printed; what went wrong in asking, if it did."""
        name = container or pod.spec.containers[0].name
        try:
            where = (pod.metadata.name, pod.metadata.namespace)
            raw = {"container": name, "tail_lines": lines, "_preload_content": False}
            return str(self.core.read_namespaced_pod_log(*where, **raw).data.decode(errors="replace"))
        except client.ApiException as error:
            return f"({error.status} {error.reason})"

    def secret(self, namespace: str, name: str, key: str) -> str:
        """A value of a Secret, decoded."""
        held = self.core.read_namespaced_secret(name, namespace).data
        return base64.b64decode(held[key]).decode()

    @contextmanager
    def namespace(self, name: str) -> Iterator[str]:
        """A namespace for the block; it and all in it are deleted at the end, whatever happened."""
        meta = client.V1ObjectMeta(name=name, labels={LABEL: "true"})
        self.core.create_namespace(client.V1Namespace(metadata=meta))
        try:
            until(lambda: self.core.list_namespaced_service_account(name).items, 30, f"{name} has a service account")
            yield name
        finally:
            self.delete_namespaces([name])

    def delete_namespaces(self, names: Sequence[str], patience_s: float = 120) -> None:
        """Delete them and wait until they are gone; nothing is wrong when they are not there."""
        for name in names:
            with suppress(client.ApiException):
                self.core.delete_namespace(name)
        until(lambda: not self.namespaces() & set(names), patience_s, f"{', '.join(names)} are deleted")

    def namespaces(self) -> set[str]:
        """The names of all there are."""
        return {each.metadata.name for each in self.core.list_namespace().items}


def connect() -> Cluster:
    """The cluster of KUBECONFIG, if it answers. Raises a sentence as RuntimeError."""
    if "KUBECONFIG" not in os.environ:
        raise RuntimeError("These tests need a cluster: set KUBECONFIG to the file that names it.")
    try:
        config.load_kube_config(os.environ["KUBECONFIG"])
        configuration = client.Configuration.get_default_copy()
        api = client.ApiClient(configuration)
        client.VersionApi(api).get_code(_request_timeout=10)
    except Exception as error:  # whatever is wrong with a cluster of somebody else's
        raise RuntimeError(
            f"No cluster answers at what KUBECONFIG={os.environ['KUBECONFIG']} names: {error}"
        ) from error
    return Cluster(configuration, client.CoreV1Api(api), client.AppsV1Api(api))


def until(true: Callable[[], T | None], seconds: float, what: str) -> T:
    """Poll until something is so, and return it. Raises TimeoutError, which says what has not come."""
    deadline = time.monotonic() + seconds
    while not (found := true()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds:g} s: {what}")
        time.sleep(POLL_S)
    return found


def is_ready(pod: client.V1Pod) -> bool:
    """Whether it may be asked."""
    conditions = pod.status.conditions or []
    return pod.metadata.deletion_timestamp is None and any(
        each.type == "Ready" and each.status == "True" for each in conditions
    )


def described(cluster: Cluster, namespaces: Sequence[str]) -> str:
    """All that helps to understand a failure: every pod, why it is not ready, and its last words."""
    parts: list[str] = []
    for namespace in namespaces:
        for pod in cluster.pods(namespace):
            parts.append(_pod_line(pod))
            for container in [*(pod.spec.init_containers or []), *pod.spec.containers]:
                words = cluster.log(pod, container.name, 40).strip()
                if words:
                    parts += [f"  -- {container.name}:", *map(_shortened, words.splitlines())]
    return "\n".join(parts)


def _shortened(line: str) -> str:
    """A traceback in a log of ours is one long line; its ends tell."""
    return line if len(line) < 700 else f"{line[:250]} … {line[-400:]}"


def _pod_line(pod: client.V1Pod) -> str:
    statuses = [*(pod.status.init_container_statuses or []), *(pod.status.container_statuses or [])]
    states = {each.name: each.state.to_dict() for each in statuses}
    told = {name: {kind: value for kind, value in state.items() if value} for name, state in states.items()}
    waits = [each.message for each in pod.status.conditions or [] if each.status == "False" and each.message]
    name = f"{pod.metadata.namespace}/{pod.metadata.name}"
    return f"{name} {pod.status.phase} {pod.status.reason or ''} {json.dumps(told, default=str)} {waits}"
