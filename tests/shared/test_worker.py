"""The worker of a service that ends: no job is lost, and none counts as failed."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text

from dynaboard import jobs, migrate
from dynaboard.app import service_app
from dynaboard.database import Database
from dynaboard.draining import Draining, HandedBack
from dynaboard.errors import ModelFailure
from dynaboard.settings import Settings
from dynaboard.status import Status, move
from dynaboard.tables import Model, Submission
from dynaboard.worker import Worker
from tests.conftest import execute
from tests.evaluator.world import wait_until

Body = Callable[[str, Draining, threading.Event], None]


@pytest.fixture
def submission_id(database: Database) -> str:
    """A running submission whose job is queued."""
    with database.begin() as db:
        model = Model(task="sentiment", name="m", owner="ada")
        db.add(model)
        db.flush()
        submission = Submission(model_id=model.id, task="sentiment", owner="ada", version=1, manifest={})
        db.add(submission)
        db.flush()
        for status in (Status.SUBMITTED, Status.RUNNING):
            move(db, submission.id, status)
        jobs.defer(db, jobs.EVALUATE, submission.id)
    return submission.id


def service(
    platform: dict[str, Any], body: Body, begun: threading.Event, attempts: int = 5, concurrency: int = 1
) -> FastAPI:
    """A service whose jobs are this."""
    settings = Settings(**platform, job_attempts=attempts, finish_s=1)
    database, draining = Database(settings.database_url), Draining()
    app = jobs.make_app(settings.database_url)
    jobs.register(app, jobs.EVALUATE, lambda name: body(name, draining, begun), database, settings)
    worker = Worker(app, [jobs.QUEUES[jobs.EVALUATE]], concurrency, draining)
    return service_app("evaluator", settings, database, worker)


def state(database: Database) -> list[tuple[str, int, bool]]:
    """Status and attempts of each job, and whether it has a worker."""
    with database.begin() as db:
        rows = db.execute(text("SELECT status::text, attempts, worker_id IS NOT NULL FROM procrastinate_jobs"))
        return [(status, attempts, has_worker) for status, attempts, has_worker in rows]


def until_told(_: str, draining: Draining, begun: threading.Event) -> None:
    begun.set()
    wait_until(lambda: draining.leaving.come)


def handed_back(name: str, draining: Draining, begun: threading.Event) -> None:
    until_told(name, draining, begun)
    raise HandedBack


def broken(name: str, draining: Draining, begun: threading.Event) -> None:
    until_told(name, draining, begun)
    raise ModelFailure("The model is gone, because what it ran on was stopped.")


def crashed(name: str, draining: Draining, begun: threading.Event) -> None:
    until_told(name, draining, begun)
    raise ConnectionError("the server was stopped")


def run_until_begun(app: FastAPI, begun: threading.Event) -> None:
    with TestClient(app):
        assert begun.wait(20)


@pytest.mark.parametrize("body", [handed_back, broken, crashed])
def test_a_job_of_a_process_that_ends_is_queued_anew_and_counts_as_no_attempt(
    platform: dict[str, Any], database: Database, submission_id: str, body: Body
) -> None:
    begun = threading.Event()
    run_until_begun(service(platform, body, begun, attempts=1), begun)
    assert state(database) == [("todo", 0, False)]
    with database.begin() as db:
        submission = db.get_one(Submission, submission_id)
        assert db.scalar(text("SELECT priority FROM procrastinate_jobs")) > 0  # before those that have not begun
    assert submission.status == Status.RUNNING
    assert (submission.step or "").startswith("Waiting for an evaluator: the one that ran this was asked to end")


@pytest.mark.usefixtures("submission_id")
def test_a_job_that_does_not_listen_is_left_without_a_worker_for_the_next_sweep(
    platform: dict[str, Any], database: Database
) -> None:
    begun, deaf = threading.Event(), threading.Event()

    def body(_: str, draining: Draining, begun: threading.Event) -> None:
        begun.set()
        deaf.wait(20)

    app = service(platform, body, begun)
    with TestClient(app):
        assert begun.wait(20)
        app.state.draining.leaving.arrive()
        threading.Timer(2.5, deaf.set).start()  # or the test's own event loop would wait for its thread
    assert state(database)[0][2] is False


@pytest.mark.usefixtures("submission_id")
def test_a_process_that_is_to_end_takes_no_more_jobs(platform: dict[str, Any], database: Database) -> None:
    begun = threading.Event()
    app = service(platform, until_told, begun)
    with TestClient(app):
        assert begun.wait(20)
        app.state.draining.leaving.arrive()
        wait_until(lambda: state(database) == [])  # the job has ended
        with database.begin() as db:
            jobs.defer(db, jobs.EVALUATE, "another")
    assert state(database) == [("todo", 0, False)]


def test_a_job_that_waits_for_another_of_its_submission_begins_soon_after_it(
    platform: dict[str, Any], database: Database, submission_id: str
) -> None:
    ended, begun = list[float](), threading.Event()

    def body(_: str, __: Draining, begun: threading.Event) -> None:
        if ended:
            begun.set()
            return
        with database.begin() as db:
            jobs.defer(db, jobs.EVALUATE, submission_id)
        time.sleep(0.5)  # so that the worker hears of it while it cannot begin
        ended.append(time.monotonic())

    with TestClient(service(platform, body, begun, concurrency=2)):
        assert begun.wait(20)
    assert time.monotonic() - ended[0] < 3


def test_a_service_is_not_ready_and_runs_no_jobs_before_its_tables_are_there(
    platform: dict[str, Any], database: Database
) -> None:
    migrate.downgrade(platform["database_url"], "base")
    begun = threading.Event()
    with TestClient(service(platform, until_told, begun)) as client:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["detail"]) == (503, migrate.OLD)
        assert client.get("/healthz").status_code == 200

        migrate.upgrade(platform["database_url"])
        wait_until(lambda: client.get("/readyz").status_code == 200)
        with database.begin() as db:
            jobs.defer(db, jobs.EVALUATE, "one")
        assert begun.wait(20)


def test_a_service_that_is_to_end_is_not_ready_and_hangs_up(platform: dict[str, Any]) -> None:
    app = service(platform, until_told, threading.Event())
    with TestClient(app) as client:
        assert "connection" not in client.get("/readyz").headers
        app.state.draining.leaving.arrive()
        answer = client.get("/readyz")
        assert (answer.status_code, answer.headers["connection"]) == (503, "close")
        assert "about to end" in answer.json()["detail"]


def reachable(server: str, database: str, allowed: bool) -> None:
    """Let nobody connect to a database, or everybody; who is connected is thrown out."""
    execute(server, f"ALTER DATABASE {database} ALLOW_CONNECTIONS {allowed}")
    execute(server, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")


def test_a_worker_that_lost_the_database_runs_jobs_again_when_it_is_back(
    platform: dict[str, Any],
    database: Database,
    submission_id: str,
    postgres_url: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "PATIENCE_S", 1.0)
    begun, name = threading.Event(), database.url.rpartition("/")[2]
    app = service(platform, lambda *_: begun.set(), begun)
    with TestClient(app):
        assert begun.wait(20)
        begun.clear()
        wait_until(lambda: state(database) == [], 20)
        reachable(postgres_url, name, False)
        # procrastinate gives up when it has not reached it for a while; before that there is nothing to show.
        wait_until(lambda: "is started again" in caplog.text, 90)
        reachable(postgres_url, name, True)
        with database.begin() as db:
            jobs.defer(db, jobs.EVALUATE, submission_id)
        assert begun.wait(20)
