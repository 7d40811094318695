"""docker-compose.yml, brought up under a name, ports and secrets of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from dynaboard.client import Client
from dynaboard.embedded import free_port
from tests.e2e.kubernetes.cluster import until

ROOT = Path(__file__).parents[3]
# An official image that cannot be had everywhere, and what stands in for it.
PROMETHEUS = "dynaboard/test-prometheus"
# Grafana's image is only to be had from a registry: DYNABOARD_E2E_REGISTRY=1 runs the file as it is, Grafana too.
AS_IT_IS = "DYNABOARD_E2E_REGISTRY"


@dataclass(frozen=True)
class Composition:
    """The platform in containers."""

    project: str
    environment: Mapping[str, str]

    @property
    def url(self) -> str:
        """Of the gateway."""
        return f"http://127.0.0.1:{self.environment['DYNABOARD_GATEWAY_PORT']}"

    @property
    def prometheus(self) -> str:
        """Of Prometheus."""
        return f"http://127.0.0.1:{self.environment['PROMETHEUS_PORT']}"

    @property
    def key(self) -> str:
        """The administrator's."""
        return self.environment["DYNABOARD_ADMIN_KEY"]

    def client(self) -> Client:
        """The platform's own client, as its administrator."""
        return Client(self.url, self.key)

    def compose(self, *words: str) -> str:
        """What `docker compose …` prints. Raises AssertionError with all it said."""
        return run(["docker", "compose", "--project-name", self.project, *words], self.environment)

    def container(self, service: str) -> dict[str, Any]:
        """`docker inspect` of a service's container."""
        name = self.compose("ps", "--all", "--quiet", service).split()[0]
        (found,) = json.loads(run(["docker", "inspect", name], self.environment))
        return dict(found)

    def replace(self, service: str) -> None:
        """Kill a service's container, as a power cut would, and have another made; returns when it is healthy."""
        self.compose("kill", "--signal", "KILL", service)
        self.compose("up", "--detach", "--no-deps", "--force-recreate", service)
        until(lambda: self.container(service)["State"]["Health"]["Status"] == "healthy", 180, f"{service} is healthy")

    def dynaboard(self, *words: str) -> str:
        """What the command line prints, run as a user does. Raises AssertionError with all it said."""
        command = [sys.executable, "-m", "dynaboard.cli", *words]
        return run(command, {**self.environment, "DYNABOARD_URL": self.url, "DYNABOARD_KEY": self.key})

    def submit(self, folder: Path) -> str:
        """`dynaboard submit`, without waiting; the submission's id."""
        return str(json.loads(self.dynaboard("submit", str(folder), "--json"))["id"])


def run(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """What a command prints to its standard output. Raises AssertionError with all it said."""
    done = subprocess.run(command, cwd=ROOT, env=dict(environment), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def lacking() -> str:
    """What is missing for these tests; empty: nothing."""
    images = [f"dynaboard/{name}:dev" for name in ("services", "evaluator")]
    asked = (["docker", "version"], ["docker", "compose", "version"], ["docker", "image", "inspect", *images])
    try:
        for command in asked:
            run(command, os.environ)
    except FileNotFoundError:
        return "docker is not installed"
    except AssertionError as error:
        return f"{error}; images are built with `make images`"
    return ""


@contextmanager
def composed(folder: Path) -> Iterator[Composition]:
    """The platform, up and healthy while the block lasts; nothing of it is left behind."""
    env_file = folder / "env"
    run([sys.executable, "images/compose/make_secrets.py", str(env_file)], os.environ)
    made = dict(line.split("=", 1) for line in env_file.read_text().split())
    ports = {name: str(free_port()) for name in ("DYNABOARD_GATEWAY_PORT", "PROMETHEUS_PORT", "GRAFANA_PORT")}
    found = Composition(f"dynaboard-test-{uuid4().hex[:8]}", os.environ | made | ports | {"COLUMNS": "200"})
    services: list[str] = []
    if not os.environ.get(AS_IT_IS):
        recipe = str(Path(__file__).parent / "prometheus.Dockerfile")
        run(["docker", "build", "--network", "host", "-f", recipe, "-t", PROMETHEUS, "tests/e2e/compose"], os.environ)
        found = Composition(found.project, {**found.environment, "PROMETHEUS_IMAGE": PROMETHEUS})
        services = ["gateway", "prometheus"]
    try:
        found.compose("up", "--detach", "--wait", *services)
        yield found
    finally:
        found.compose("down", "--volumes", "--timeout", "5")
