"""A real Prometheus with the shipped configuration and rules, which it scrapes and evaluates often."""

import math
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import yaml

from dynaboard.embedded import free_port

MONITORING = Path(__file__).parents[2] / "charts" / "dynaboard" / "monitoring"
SCRAPE_S = 0.5


@dataclass(frozen=True)
class Prometheus:
    """Where it answers."""

    url: str

    def ask(self, path: str, **parameters: Any) -> Any:
        """The data of an answer of its API. Raises httpx.HTTPStatusError with what it says of a bad expression."""
        answer = httpx.get(f"{self.url}/api/v1/{path}", params=parameters)
        assert answer.is_success, answer.text
        return answer.json()["data"]

    def over(self, expression: str, seconds: float) -> list[list[float]]:
        """The values of each series of an expression in the last seconds, one a second; NaN is no value."""
        now = time.time()
        # Whole seconds back, so that the last step is now.
        found = self.ask("query_range", query=expression, start=now - math.ceil(seconds), end=now, step=1)["result"]
        series = [[float(value) for _, value in each["values"] if value != "NaN"] for each in found]
        return [values for values in series if values]

    def now(self, expression: str) -> list[dict[str, Any]]:
        """The series of an expression at this moment."""
        result: list[dict[str, Any]] = self.ask("query", query=expression)["result"]
        return result


@contextmanager
def prometheus(folder: Path, target: str, token: Path) -> Iterator[Prometheus]:
    """Run Prometheus in `folder` on the shipped files, with another target (host:port), token and pace."""
    copy = shutil.copytree(MONITORING, folder / "monitoring")
    configuration = yaml.safe_load((copy / "prometheus.yml").read_text())
    configuration["global"] = {"scrape_interval": f"{int(SCRAPE_S * 1000)}ms", "evaluation_interval": "1s"}
    (job,) = configuration["scrape_configs"]
    job |= {"authorization": {"credentials_file": str(token)}, "static_configs": [{"targets": [target]}]}
    (copy / "prometheus.yml").write_text(yaml.safe_dump(configuration))
    address = f"127.0.0.1:{free_port()}"
    arguments = [f"--config.file={copy / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}"]
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(
            ["prometheus", *arguments, f"--web.listen-address={address}"], stdout=log, stderr=subprocess.STDOUT
        )
    try:
        wait_until(lambda: _ready(f"http://{address}/-/ready"), 30)
        yield Prometheus(f"http://{address}")
    finally:
        process.terminate()
        process.wait(20)


def _ready(url: str) -> bool:
    try:
        return httpx.get(url).is_success
    except httpx.TransportError:
        return False


def wait_until(true: Callable[[], object], seconds: float) -> None:
    """Poll until something is so. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.1)
