"""A submission from its job to its hand-over: predictions, costs, failures and their sentences."""

import io
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select, text

from dynaboard.archive import object_key
from dynaboard.errors import ModelFailure
from dynaboard.identity import Caller, Role
from dynaboard.jobs import fail
from dynaboard.status import Status
from dynaboard.tables import Evaluation, Measurement, Model, Submission
from services.evaluator.bench import Bench
from services.evaluator.evaluation import log_key
from services.evaluator.jobs import evaluate
from services.evaluator.steering import cancel, retry
from services.evaluator.views import progress_view
from tests.evaluator.world import BROKEN, GOOD, SLOW, World, statements, wait_until

ADA = Caller("ada", Role.SUBMITTER)


def read_predictions(bench: Bench, key: str | None) -> dict[str, str]:
    """The stored labels by example id."""
    assert key is not None
    table = pq.read_table(io.BytesIO(bench.storage.get(key)))
    assert table.num_rows == len(set(table["id"].to_pylist())), "an example twice"
    return dict(zip(table["id"].to_pylist(), table["label"].to_pylist(), strict=True))


def test_a_submission_is_predicted_on_every_open_dataset_measured_and_handed_to_scoring(
    bench: Bench, world: World, work: Callable[[], None], runs: Path
) -> None:
    examples = statements(50)
    world.add_dataset("reviews", examples)
    world.add_dataset("talk", statements(5), role="standard")
    world.add_dataset("school", statements(6), phase="training")
    world.add_dataset("old", statements(7), active=False)
    submission_id = world.submit(GOOD)

    work()

    submission = world.submission(submission_id)
    assert (submission.status, submission.reason) == (Status.PREDICTED, None)
    evaluations = world.evaluations(submission_id)
    assert set(evaluations) == {"reviews", "talk"}
    reviews = evaluations["reviews"]
    assert (reviews.status, reviews.done, reviews.total) == ("finished", 50, 50)
    assert read_predictions(bench, reviews.predictions_key) == {item["id"]: item["label"] for item in examples}
    assert sha256(bench.storage.get(reviews.predictions_key or "")).hexdigest() == reviews.predictions_digest
    assert reviews.provenance["model_digest"] == submission.digest
    assert bench.storage.keys(f"predictions/{reviews.id}/") == []
    assert b"loaded and well" in bench.storage.get(log_key(submission_id))
    assert list(runs.iterdir()) == []
    with bench.database.begin() as db:
        cells = db.scalars(select(Measurement)).all()
        assert db.scalars(text("SELECT task_name FROM procrastinate_jobs WHERE status = 'todo'")).all() == ["score"]
    assert len(cells) == 14
    assert {cell.model_digest for cell in cells} == {submission.digest}
    throughput = next(cell for cell in cells if cell.metric == "throughput")
    assert throughput.value > 10
    assert throughput.n == len({block["pair"] for block in throughput.provenance["blocks"]}) == 2
    assert throughput.provenance["sandbox"] in {"bubblewrap", "limits"}


def test_a_broken_model_fails_with_its_sentence_its_log_is_kept_and_the_next_one_runs(
    bench: Bench, world: World, work: Callable[[], None], runs: Path
) -> None:
    world.add_dataset("reviews", statements(10))
    broken, good = world.submit(BROKEN), world.submit(GOOD)

    work()

    failed = world.submission(broken)
    assert (failed.status, failed.failure) == (Status.FAILED, "model")
    expected = "In the trial before the evaluation: Handler.predict() raised ValueError: my vocabulary is empty"
    assert failed.reason == expected
    log = bench.storage.get(log_key(broken)).decode()
    assert "about to fail" in log
    assert "Traceback" in log
    assert world.submission(good).status == Status.PREDICTED
    assert list(runs.iterdir()) == []


def test_an_answer_that_breaks_the_contract_is_told_with_dataset_and_example(
    world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(45))
    submission_id = world.submit(GOOD.replace('"neutral")', '"neutral" if "41" not in statement else "meh")'))

    work()

    expected = "On reviews, example number 42: the label 'meh' is not one of positive, negative, neutral."
    assert world.submission(submission_id).reason == expected


def test_what_a_model_sees_of_a_hidden_dataset_is_not_told(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(5))
    world.add_dataset("secret", statements(5, "hush"), role="hidden")
    leaking = GOOD.replace(
        'return [{"id"',
        'for example in examples: print(example["statement"])\n'
        '            if "hush" in example["statement"]: raise ValueError(example["statement"])\n'
        '            return [{"id"',
    )
    submission_id = world.submit(leaking)

    work()

    reason, log = world.submission(submission_id).reason or "", bench.storage.get(log_key(submission_id)).decode()
    assert reason.startswith("The model failed on a hidden dataset")
    assert "item positive" in log
    assert "hush" not in reason + log


def test_a_retry_keeps_what_was_finished_and_starts_no_model_when_nothing_is_left(bench: Bench, world: World) -> None:
    world.add_dataset("reviews", statements(10))
    submission_id = world.submit(GOOD)
    evaluate(bench, submission_id)
    fail(bench.database, submission_id, "The platform failed while it scored.", "platform")
    before = world.evaluations(submission_id)["reviews"]

    with bench.database.begin() as db:
        retry(db, db.get_one(Submission, submission_id))
    bench.storage.delete(object_key(submission_id))  # without it no model can start
    evaluate(bench, submission_id)

    submission = world.submission(submission_id)
    assert (submission.status, submission.reason, submission.failure) == (Status.PREDICTED, None, None)
    after = world.evaluations(submission_id)["reviews"]
    assert (after.updated_at, after.finished_at) == (before.updated_at, before.finished_at)


def test_cancelling_stops_a_running_model_within_seconds(
    bench: Bench, world: World, work: Callable[[], None], runs: Path
) -> None:
    world.add_dataset("reviews", statements(400, "waits"))
    submission_id = world.submit(SLOW, batch_size=1)
    working = threading.Thread(target=work)
    working.start()
    wait_until(lambda: world.evaluations(submission_id).get("reviews", Evaluation(done=0)).done > 5)

    with bench.database.begin() as db:
        row = db.get_one(Submission, submission_id)
        view = progress_view(db, row, db.get_one(Model, row.model_id), ADA)
        cancel(db, row, ADA)
    stopped_at = time.monotonic()
    working.join(timeout=20)

    assert time.monotonic() - stopped_at < 5
    submission = world.submission(submission_id)
    assert (submission.status, submission.reason) == (Status.CANCELLED, "Cancelled by ada.")
    assert list(runs.iterdir()) == []
    assert view.step is not None
    assert view.step.startswith("Predicting reviews (1 of 1): ")
    assert 10 < (view.eta_seconds or 0) < 60
    assert view.evaluations[0].status == "running"


def test_a_model_that_needs_too_long_for_a_dataset_fails_by_its_own_fault(
    bench: Bench, world: World, work: Callable[[], None]
) -> None:
    world.add_dataset("reviews", statements(400, "waits"))
    submission_id = world.submit(SLOW, batch_size=1)
    slow = replace(bench, settings=bench.settings.model_copy(update={"max_evaluation_hours": 1 / 3600}))

    with pytest.raises(ModelFailure, match=r"Predicting reviews took longer than 1 s; make the model faster\."):
        evaluate(slow, submission_id)


def test_a_job_that_comes_late_does_nothing(bench: Bench, world: World) -> None:
    submission_id = world.submit(GOOD, queue=False)
    with bench.database.begin() as db:
        cancel(db, db.get_one(Submission, submission_id), ADA)

    evaluate(bench, submission_id)

    assert world.submission(submission_id).status == Status.CANCELLED
