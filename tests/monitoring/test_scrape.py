"""What one scrape of /metrics gives, what it costs, and that nothing broken around us breaks it."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import event

from dynaboard import platform_state
from dynaboard.app import service_app
from dynaboard.database import Database
from dynaboard.draining import Moment
from dynaboard.jobs import EVALUATE, defer, fail
from dynaboard.settings import Settings
from dynaboard.status import Status, move
from dynaboard.tables import Evaluation, Measurement, Model, Submission
from services.scoring.app import create_app
from services.scoring.settings import ScoringSettings
from services.scoring.watchers import Watchers
from tests.conftest import execute

NOWHERE = "postgresql://nobody@127.0.0.1:9/nothing"


def make_app(platform: dict[str, Any]) -> FastAPI:
    settings = Settings(**platform)
    app = service_app("scoring", settings, Database(settings.database_url))

    @app.get("/things/{name}")
    def thing(name: str) -> str:
        return name

    return app


@pytest.fixture
def service(platform: dict[str, Any]) -> Iterator[TestClient]:
    """A service with one route."""
    with TestClient(make_app(platform)) as client:
        yield client


@pytest.fixture
def without_database(platform: dict[str, Any]) -> Iterator[TestClient]:
    """The same, whose database is not there."""
    with TestClient(make_app(platform | {"database_url": NOWHERE})) as client:
        yield client


def scrape(client: TestClient) -> dict[str, dict[tuple[str, ...], float]]:
    """Every sample by name and the values of its labels, in the order of their names."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return found


@pytest.fixture
def submission_id(database: Database) -> str:
    """A submission that waits for its evaluation."""
    with database.begin() as db:
        model = Model(task="sentiment", owner="ada", name="mine")
        db.add(model)
        db.flush()
        submission = Submission(model_id=model.id, task="sentiment", owner="ada", version=1)
        db.add(submission)
        db.flush()
        move(db, submission.id, Status.SUBMITTED)
        defer(db, EVALUATE, submission.id)
    return submission.id


def test_an_empty_platform_shows_zeros_so_that_alerts_have_something_to_compare(service: TestClient) -> None:
    found = scrape(service)
    assert found["dynaboard_database_up"] == {(): 1}
    assert found["dynaboard_jobs"]["evaluator", "waiting"] == 0
    assert found["dynaboard_queue_oldest_job_age_seconds"]["scoring",] == 0
    assert found["dynaboard_stalled_jobs"]["evaluator",] == 0
    assert found["dynaboard_submissions_by_status"] == {(status,): 0 for status in Status}
    assert set(found["dynaboard_evaluations_by_status"].values()) == {0}
    assert found["dynaboard_disk_free_bytes"][()] <= found["dynaboard_disk_size_bytes"][()]


def test_a_waiting_job_is_counted_with_its_age(service: TestClient, submission_id: str, database_url: str) -> None:
    execute(database_url, "UPDATE procrastinate_events SET at = now() - interval '90 s'")
    found = scrape(service)
    assert found["dynaboard_jobs"]["evaluator", "waiting"] == 1
    assert found["dynaboard_queue_oldest_job_age_seconds"]["evaluator",] == pytest.approx(90, abs=10)
    assert found["dynaboard_submissions_by_status"]["submitted",] == 1


def test_a_job_set_for_later_does_not_age(service: TestClient, submission_id: str, database_url: str) -> None:
    execute(database_url, "UPDATE procrastinate_jobs SET scheduled_at = now() + interval '1 h'")
    found = scrape(service)
    assert found["dynaboard_jobs"]["evaluator", "scheduled"] == 1
    assert found["dynaboard_jobs"]["evaluator", "waiting"] == 0
    assert found["dynaboard_queue_oldest_job_age_seconds"]["evaluator",] == 0


def test_a_running_job_whose_worker_is_gone_is_stalled(
    service: TestClient, submission_id: str, database_url: str
) -> None:
    execute(database_url, "UPDATE procrastinate_jobs SET status = 'doing'")
    found = scrape(service)
    assert found["dynaboard_jobs"]["evaluator", "running"] == 1
    assert found["dynaboard_stalled_jobs"]["evaluator",] == 1


def test_a_running_submission_that_falls_silent_is_shown(
    service: TestClient, submission_id: str, database_url: str
) -> None:
    execute(database_url, "UPDATE submissions SET status = 'running', updated_at = now() - interval '10 min'")
    assert scrape(service)["dynaboard_submission_silence_seconds"]["running",] == pytest.approx(600, abs=10)


def test_evaluations_are_counted_by_status(service: TestClient, submission_id: str, database_url: str) -> None:
    dataset = "'d', 'sentiment', 'd', 1, '', 'scoring', 'open', true, '', '', '', 1, 1, '{}', '{}', '', now()"
    columns = "id, task, name, version, digest, role, phase, active, licence, citation, description, examples, size"
    execute(database_url, f"INSERT INTO datasets ({columns}, labels, tags, created_by, created_at) VALUES ({dataset})")
    database = Database(database_url)
    with database.begin() as db:
        db.add(Evaluation(submission_id=submission_id, dataset_id="d", total=1, status="predicted"))
    database.close()
    assert scrape(service)["dynaboard_evaluations_by_status"]["predicted",] == 1


def test_the_newest_cost_of_each_hardware_profile_is_shown_in_base_units(
    service: TestClient, database: Database
) -> None:
    units = {"throughput": "examples/s", "memory": "GiB", "latency_p50": "ms"}
    with database.begin() as db:
        for round_number, value in enumerate((9.0, 2.0)):
            for metric, unit in units.items():
                key = {"model_digest": str(round_number), "dataset_digest": "d", "metric": metric, "unit": unit}
                db.add(Measurement(**key, metric_version="1", hardware_profile="abc", value=value, n=1))
                db.flush()
    found = scrape(service)
    assert found["dynaboard_last_measured_throughput_examples_per_second"] == {("abc",): 2}
    assert found["dynaboard_last_measured_memory_bytes"] == {("abc",): 2 * 1024**3}
    assert found["dynaboard_last_measured_latency_seconds"] == {("abc",): pytest.approx(0.002)}


def test_without_its_database_a_service_is_still_scraped_and_says_so(without_database: TestClient) -> None:
    before = REGISTRY.get_sample_value("dynaboard_scrape_errors_total") or 0
    found = scrape(without_database)
    assert found["dynaboard_database_up"] == {(): 0}
    assert found["dynaboard_scrape_errors_total"][()] == before + 1
    assert "dynaboard_jobs" not in found  # rather nothing than what was true once
    assert "dynaboard_http_requests_total" in found


def test_failing_connections_are_counted_by_kind(without_database: TestClient) -> None:
    name, labels = "dynaboard_database_errors_total", {"error": "OperationalError"}
    before = REGISTRY.get_sample_value(name, labels) or 0
    assert without_database.get("/readyz").status_code == 503
    assert (REGISTRY.get_sample_value(name, labels) or 0) > before


def test_a_storm_of_scrapes_asks_the_database_once(platform: dict[str, Any]) -> None:
    settings = Settings(**platform)
    state = platform_state.PlatformState(settings)
    statements: list[str] = []
    event.listen(state._engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    for _ in range(20):
        list(state.collect())
    assert len(statements) <= len(platform_state.QUERIES) + 4  # SQLAlchemy asks for version and encoding first


def test_a_database_that_hangs_holds_up_a_scrape_for_seconds_only(
    service: TestClient, database: Database, submission_id: str
) -> None:
    with database.begin() as db:
        db.connection().exec_driver_sql("LOCK TABLE procrastinate_jobs IN ACCESS EXCLUSIVE MODE")
        began = time.monotonic()
        found = scrape(service)
        assert time.monotonic() - began < 8
    assert found["dynaboard_database_up"] == {(): 0}


def test_strangers_cannot_add_label_values(service: TestClient) -> None:
    service.get("/things/one")
    service.get("/things/two")
    service.get("/no/such/place")
    service.request("BREW", "/things/coffee")
    routes = scrape(service)["dynaboard_http_requests_total"]
    assert ("GET", "/things/{name}", "scoring", "200") in routes
    assert ("GET", "unmatched", "scoring", "404") in routes
    assert ("other", "/things/{name}", "scoring", "405") in routes
    assert not any("BREW" in labels or "coffee" in str(labels) or "such" in str(labels) for labels in routes)


def test_a_worker_counts_while_it_lives(platform: dict[str, Any]) -> None:
    labels = {"queue": "scoring"}
    before = REGISTRY.get_sample_value("dynaboard_workers", labels)
    assert before is not None
    with TestClient(create_app(ScoringSettings(**platform))) as client:
        assert scrape(client)["dynaboard_workers"]["scoring",] == before + 1
    assert REGISTRY.get_sample_value("dynaboard_workers", labels) == before


def test_watched_boards_are_counted_while_they_are_watched(database_url: str) -> None:
    async def watch() -> float | None:
        async with Watchers(database_url, Moment()).subscribe():
            return REGISTRY.get_sample_value("dynaboard_event_streams")

    before = REGISTRY.get_sample_value("dynaboard_event_streams") or 0
    assert asyncio.run(watch()) == before + 1
    assert REGISTRY.get_sample_value("dynaboard_event_streams") == before


def test_submissions_are_counted_by_whose_fault_they_failed(database: Database, submission_id: str) -> None:
    name, labels = "dynaboard_submissions_total", {"task": "sentiment", "status": "failed", "fault": "platform"}
    before = REGISTRY.get_sample_value(name, labels) or 0
    fail(database, submission_id, "Our disk was full.", "platform")
    assert REGISTRY.get_sample_value(name, labels) == before + 1
