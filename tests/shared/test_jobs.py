"""Jobs drive statuses: what fails by whose fault, and that nothing is ever stuck."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import procrastinate
import pytest
from sqlalchemy import text

from dynaboard import jobs
from dynaboard.database import Database
from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.settings import Settings
from dynaboard.status import Status, move
from dynaboard.tables import Model, Submission, now

RunJobs = Callable[[procrastinate.App], None]


@pytest.fixture
def submission_id(database: Database) -> str:
    """A submitted submission without a job."""
    with database.begin() as db:
        model = Model(task="sentiment", name="m", owner="ada")
        db.add(model)
        db.flush()
        submission = Submission(
            model_id=model.id, task="sentiment", owner="ada", version=1, status=Status.SUBMITTED, manifest={}
        )
        db.add(submission)
        db.flush()
        return submission.id


def read(database: Database, submission_id: str) -> Submission:
    with database.begin() as db:
        return db.get_one(Submission, submission_id)


def app_with(
    body: Callable[[str], None], platform: dict[str, Any], database: Database, attempts: int = 1
) -> procrastinate.App:
    app = jobs.make_app(platform["database_url"])
    jobs.register(app, jobs.EVALUATE, body, database, Settings(**platform, job_attempts=attempts))
    return app


def queue(database: Database, submission_id: str) -> None:
    with database.begin() as db:
        jobs.defer(db, jobs.EVALUATE, submission_id)


def test_a_deferred_job_runs(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    seen: list[str] = []
    queue(database, submission_id)
    run_jobs(app_with(seen.append, platform, database))
    assert seen == [submission_id]


def test_a_job_of_a_rolled_back_transaction_never_exists(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    seen: list[str] = []

    def interrupted() -> None:
        with database.begin() as db:
            jobs.defer(db, jobs.EVALUATE, submission_id)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        interrupted()
    run_jobs(app_with(seen.append, platform, database))
    assert seen == []


def test_a_models_failure_is_told_in_its_sentence_and_not_retried(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    calls: list[str] = []

    def body(submission_id: str) -> None:
        calls.append(submission_id)
        raise ModelFailure("predict() returned 3 answers for 4 examples.")

    queue(database, submission_id)
    run_jobs(app_with(body, platform, database, attempts=3))
    submission = read(database, submission_id)
    assert (submission.status, submission.failure) == ("failed", "model")
    assert submission.reason == "predict() returned 3 answers for 4 examples."
    assert len(calls) == 1


def test_the_platforms_failure_is_marked_as_its_own(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    def body(submission_id: str) -> None:
        raise OSError("disk full")

    queue(database, submission_id)
    run_jobs(app_with(body, platform, database))
    submission = read(database, submission_id)
    assert (submission.status, submission.failure) == ("failed", "platform")
    assert "disk full" not in (submission.reason or "")


def test_its_owner_reads_why_a_submission_takes_longer_and_still_does_when_it_is_finished(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    seen: list[tuple[str | None, str | None]] = []

    def body(submission_id: str) -> None:
        with database.begin() as db:
            move(db, submission_id, Status.RUNNING, step="Getting ready")
        before = read(database, submission_id)
        seen.append((before.step, before.reason))
        if len(seen) == 1:
            raise PlatformFailure("The machine that ran your model went away; it starts again on another one.")

    queue(database, submission_id)
    app = app_with(body, platform, database, attempts=3)
    run_jobs(app)
    waiting = read(database, submission_id)
    with database.begin() as db:
        db.execute(text("UPDATE procrastinate_jobs SET scheduled_at = now()"))
    run_jobs(app)
    with database.begin() as db:
        for status in (Status.PREDICTED, Status.SCORING, Status.FINISHED):
            move(db, submission_id, status)

    why = "It took longer: The machine that ran your model went away; it starts again on another one."
    assert (waiting.status, waiting.step, waiting.reason) == ("running", "Waiting to be started again", why)
    assert seen == [("Getting ready", None), ("Getting ready", why)]
    finished = read(database, submission_id)
    assert (finished.status, finished.step, finished.reason) == ("finished", None, why)


def test_what_nobody_expected_is_told_without_its_words(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    def body(submission_id: str) -> None:
        with database.begin() as db:
            move(db, submission_id, Status.RUNNING)
        raise OSError("/secret/path is full")

    queue(database, submission_id)
    run_jobs(app_with(body, platform, database, attempts=2))
    assert read(database, submission_id).reason == "It took longer: something failed on the platform's side."


def test_a_waiting_submission_without_a_job_gets_one(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    with database.begin() as db:
        db.get_one(Submission, submission_id).updated_at = now() - timedelta(minutes=5)
    seen: list[str] = []
    for _ in range(2):  # the second time it has a job and gets no other
        jobs.readopt(database, Settings(**platform))
    run_jobs(app_with(seen.append, platform, database))
    assert seen == [submission_id]


def test_a_dead_workers_job_is_given_to_another(
    platform: dict[str, Any], database: Database, submission_id: str, run_jobs: RunJobs
) -> None:
    queue(database, submission_id)
    with database.begin() as db:
        worker = db.scalar(
            text("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour') RETURNING id")
        )
        db.execute(text("UPDATE procrastinate_jobs SET status = 'doing', worker_id = :w"), {"w": worker})
    seen: list[str] = []
    app = app_with(seen.append, platform, database, attempts=3)
    jobs.register_sweep(app, database, Settings(**platform))
    run_jobs(app)  # the periodic sweep is due at once for a new worker
    run_jobs(app)
    assert seen == [submission_id]


@pytest.mark.parametrize("end", [Status.FINISHED, Status.FAILED, Status.CANCELLED])
def test_what_has_ended_is_not_run_again(database: Database, submission_id: str, end: Status) -> None:
    with database.begin() as db:
        db.get_one(Submission, submission_id).status = end
        assert not move(db, submission_id, Status.RUNNING)


def test_a_cancelled_submission_cannot_be_finished_by_a_late_job(database: Database, submission_id: str) -> None:
    with database.begin() as db:
        assert move(db, submission_id, Status.RUNNING)
        assert move(db, submission_id, Status.CANCELLED)
        assert not move(db, submission_id, Status.PREDICTED)


def test_the_sweep_runs_every_ten_seconds(platform: dict[str, Any], database: Database) -> None:
    app = jobs.make_app(platform["database_url"])
    jobs.register_sweep(app, database, Settings(**platform))
    (periodic,) = app.periodic_registry.periodic_tasks.values()
    due = [periodic.croniter.get_next(float) for _ in range(100)]
    assert {later - sooner for sooner, later in pairwise(due)} == {10.0}
