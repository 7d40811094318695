"""Services replaced one after the other while they are used: nobody notices."""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import httpx
import pytest

from tests.scale_out.conftest import ADMIN_KEY
from tests.scale_out.replicas import Installation, until

HEADERS = {"authorization": f"Bearer {ADMIN_KEY}"}


@dataclass
class Load:
    """People who ask again and again, each on a connection that is kept; whatever goes wrong is written down."""

    url: str
    stopped: threading.Event = field(default_factory=threading.Event)
    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def ask(self, send: Callable[[httpx.Client], httpx.Response]) -> None:
        """One person, until the load is stopped."""
        with httpx.Client(base_url=f"{self.url}/api/v1", headers=HEADERS, trust_env=False, timeout=30) as client:
            while not self.stopped.wait(0.05):
                try:
                    answer = send(client)
                except httpx.TransportError as error:
                    self.failures.append(repr(error))
                else:
                    path = answer.request.url.path
                    self.answers[path] += 1
                    if answer.status_code >= 300:
                        self.failures.append(f"{path}: {answer.status_code} {answer.text}")

    def watch(self) -> None:
        """One watcher as a browser is: who is hung up on in good order connects again."""
        while not self.stopped.is_set():
            try:
                with httpx.stream("GET", f"{self.url}/api/v1/leaderboards/nli/events", timeout=60) as stream:
                    if stream.status_code != 200:
                        self.failures.append(f"watching: {stream.status_code}")
                    for line in stream.iter_lines():
                        self.answers["watched"] += line.startswith("data: ")
                        if self.stopped.is_set():
                            return
            except httpx.TransportError as error:
                self.failures.append(f"watching: {error!r}")


def create(client: httpx.Client) -> httpx.Response:
    announced = {"task": "nli", "name": "m", "size": 1000, "publish": False, "anonymous": False}
    return client.post("/submissions", json=announced)


@pytest.mark.timeout(600)  # eight processes are started, one after the other
def test_services_are_replaced_under_load_without_a_failed_request(replicas: Installation) -> None:
    names = ("gateway", "gateway", "scoring", "upload")
    running = [(name, replicas.start(name)) for name in names]
    replicas.wait_ready()
    load = Load(replicas.url)
    people: list[Callable[[], None]] = [
        lambda: load.ask(lambda client: client.get("/leaderboards/nli")),
        lambda: load.ask(lambda client: client.get("/tasks")),
        lambda: load.ask(create),
        load.watch,
        load.watch,
    ]
    threads = [threading.Thread(target=person) for person in people]
    for thread in threads:
        thread.start()
    try:
        for name, old in running:
            replicas.start(name)
            replicas.wait_ready()
            old.end()
        before = load.answers.total()
        until(lambda: load.answers.total() > before + 20)
    finally:
        load.stopped.set()
        for replica in replicas.started:
            replica.process.terminate()  # and so watchers are told to go
        for thread in threads:
            thread.join(30)

    assert load.failures == []
    assert min(load.answers[path] for path in ("/api/v1/leaderboards/nli", "/api/v1/tasks", "/api/v1/submissions")) > 20
    assert load.answers["watched"] >= 4  # at the beginning, and when the service behind them ended


@pytest.mark.parametrize("name", ["gateway", "scoring"])
def test_a_service_that_is_to_end_is_not_ready_but_answers_until_it_does(replicas: Installation, name: str) -> None:
    replica = replicas.start(name, drain_s=1.5)
    replicas.wait_ready()
    with httpx.Client(base_url=replica.url, trust_env=False, timeout=10) as client:
        client.get("/healthz")
        replica.process.terminate()
        until(lambda: client.get("/readyz").status_code == 503)
        answer = client.get("/healthz")
        assert answer.status_code == 200
        assert answer.headers["connection"] == "close"
        assert "about to end" in client.get("/readyz").json()["detail"]
    assert replica.process.wait(20) == 0


def test_a_second_signal_ends_the_wait(replicas: Installation) -> None:
    replica = replicas.start("gateway", drain_s=600)
    replicas.wait_ready()
    replica.process.terminate()
    until(lambda: not replica.is_ready())
    replica.process.terminate()
    assert replica.process.wait(20) == 0
