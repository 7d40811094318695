"""Visitors of the gateway, from a pod in the cluster and through the Service, who count what goes wrong."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kubernetes import client

from tests.e2e.kubernetes.cluster import Cluster, is_ready, until

# Half of the visitors come anew for each request, half keep their connection. Ends when /tmp/stop is there.
PROGRAM = """
import asyncio, json, os, sys, time
import httpx

URL, VISITORS = sys.argv[1], int(sys.argv[2])
PATHS = ["/api/v1/tasks", "/api/v1/leaderboards/sentiment", "/healthz", "/api/v1/datasets"]
count, failed = 0, []

async def ask(client, path):
    global count
    started = time.time()
    try:
        answer = await client.get(URL + path)
        wrong = "" if answer.status_code == 200 else f"{answer.status_code} {answer.text[:200]}"
    except httpx.HTTPError as error:
        wrong = f"{type(error).__name__}: {error}"
    count += 1
    if wrong:
        failed.append([round(time.time(), 2), round(time.time() - started, 2), path, wrong])

async def visit(number):
    kept = number % 2
    client = httpx.AsyncClient(timeout=30, trust_env=False)
    turn = number
    while not os.path.exists("/tmp/stop"):
        if not kept:
            await client.aclose()
            client = httpx.AsyncClient(timeout=30, trust_env=False)
        await ask(client, PATHS[turn % len(PATHS)])
        turn += 1
        await asyncio.sleep(0.05)
    await client.aclose()

async def main():
    await asyncio.gather(*(visit(number) for number in range(VISITORS)))

open("/tmp/started", "w").close()
asyncio.run(main())
print(json.dumps({"requests": count, "failed": failed}), flush=True)
"""


@dataclass
class Load:
    """What the visitors met; filled in when they have left."""

    requests: int = 0
    failed: tuple[Any, ...] = ()


@contextmanager
def visited(cluster: Cluster, namespace: str, image: str, url: str, visitors: int = 4) -> Iterator[Load]:
    """Visit the address during the block."""
    load = Load()
    cluster.core.create_namespaced_pod(namespace, _pod(image, url, visitors))
    try:
        pod = until(lambda: _ready(cluster, namespace), 60, "the visitors come")
        yield load
        cluster.run(pod, ["touch", "/tmp/stop"])
        until(lambda: _phase(cluster, namespace) == "Succeeded", 60, "the visitors leave")
        said = json.loads(cluster.log(pod).strip().splitlines()[-1])
        load.requests, load.failed = said["requests"], tuple(said["failed"])
    finally:
        cluster.core.delete_namespaced_pod("visitors", namespace, grace_period_seconds=0)


def _ready(cluster: Cluster, namespace: str) -> client.V1Pod | None:
    pod = cluster.core.read_namespaced_pod("visitors", namespace)
    return pod if is_ready(pod) else None


def _phase(cluster: Cluster, namespace: str) -> str:
    return str(cluster.core.read_namespaced_pod("visitors", namespace).status.phase)


def _pod(image: str, url: str, visitors: int) -> dict[str, Any]:
    container = {
        "name": "visitors",
        "image": image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["python", "-c", PROGRAM, url, str(visitors)],
        "readinessProbe": {"exec": {"command": ["test", "-e", "/tmp/started"]}, "periodSeconds": 1},
        "resources": {"requests": {"cpu": "20m", "memory": "64Mi"}},
    }
    spec = {"containers": [container], "restartPolicy": "Never", "terminationGracePeriodSeconds": 1}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "visitors"}, "spec": spec}
