"""Reads a run's memory out of Prometheus, from cAdvisor's series: for models that run on other machines (Kubernetes).

cAdvisor has no series for shared memory, but it follows from three that it has: page cache counts shared memory in,
the two lists of file pages do not. All of them exist on cgroup v1 and v2 and mean the same there.
"""

import time
from typing import Any

import httpx

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.samplers.sample import MemoryUse

EXPRESSION = (
    "sum(container_memory_rss{{{selector}}} + clamp_min(container_memory_cache{{{selector}}}"
    " - container_memory_total_active_file_bytes{{{selector}}}"
    " - container_memory_total_inactive_file_bytes{{{selector}}}, 0))"
)
PATIENCE_SCRAPES = 3
TIMEOUT_S = 10.0


class Prometheus:
    """Reads the memory of the containers that `selector` picks, such as `namespace="models",pod="m-7f"`.

    `scrape_s` is the interval at which they are scraped: the step of the samples, and how long the last may take.
    `server_bytes` is what the model server takes in the container before the model, reported apart.
    """

    name = "prometheus"

    def __init__(self, url: str, selector: str, scrape_s: float, server_bytes: int = 0) -> None:
        self._url = url.rstrip("/")
        self._expression = EXPRESSION.format(selector=selector)
        self._selector = selector
        self._scrape_s = scrape_s
        self._server_bytes = server_bytes
        self._began = 0.0

    def begin(self) -> None:
        """Note the time."""
        self._began = time.time()

    def take(self) -> None:
        """Prometheus takes the samples."""

    def end(self) -> MemoryUse:
        """Wait until a scrape has seen the end of the run, and read the run.

        Raises PlatformFailure when Prometheus does not answer or holds no such series.
        """
        ended = time.time()
        with httpx.Client(base_url=self._url, timeout=TIMEOUT_S) as client:
            self._wait_for_scrape(client, ended)
            values = self._run(client, ended)
        if not values:
            raise PlatformFailure(f"Prometheus at {self._url} holds no memory of {{{self._selector}}} for this run.")
        samples = tuple((at - self._began, max(int(float(size)) - self._server_bytes, 0)) for at, size in values)
        return MemoryUse(
            sampler=self.name,
            samples=samples,
            peak=max(size for _, size in samples),
            peak_source="samples",
            server=float(self._server_bytes) or None,
        )

    def _wait_for_scrape(self, client: httpx.Client, ended: float) -> None:
        query = f"max(timestamp(container_memory_rss{{{self._selector}}}))"
        deadline = time.monotonic() + PATIENCE_SCRAPES * self._scrape_s
        while time.monotonic() < deadline:
            result = self._ask(client, "/api/v1/query", {"query": query})
            if result and float(result[0]["value"][1]) >= ended:
                return
            time.sleep(min(self._scrape_s / 4, 1))

    def _run(self, client: httpx.Client, ended: float) -> list[tuple[float, str]]:
        first = self._began + self._scrape_s  # what Prometheus knows before that may be older than the run
        window = {"start": first, "end": max(ended, first), "step": self._scrape_s}
        result = self._ask(client, "/api/v1/query_range", {"query": self._expression, **window})
        return result[0]["values"] if result else []

    def _ask(self, client: httpx.Client, path: str, query: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            answer = client.get(path, params=query)
            said = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise PlatformFailure(f"Prometheus at {self._url} does not answer: {error}") from error
        if said.get("status") != "success":
            raise PlatformFailure(
                f"Prometheus at {self._url} refused the query: {said.get('error', answer.status_code)}"
            )
        found: list[dict[str, Any]] = said["data"]["result"]
        return found
