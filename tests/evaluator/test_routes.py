"""Progress, cancel, retry, log and predictions over HTTP, and who may have them."""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select, text

from dynaboard.contract import Answer
from dynaboard.identity import Role
from dynaboard.prediction_file import encode
from dynaboard.status import Status
from dynaboard.tables import Evaluation, Submission
from services.evaluator.app import create_app
from services.evaluator.evaluation import log_key
from services.evaluator.predictions import predictions_key
from services.evaluator.settings import EvaluatorSettings
from tests.evaluator.world import GOOD, SENTIMENT, World, statements

Headers = Callable[..., dict[str, str]]


@pytest.fixture
def client(settings: EvaluatorSettings, world: World) -> Iterator[TestClient]:
    """The evaluator's routes; its worker does not run."""
    app = create_app(settings)
    client = TestClient(app)
    yield client
    client.close()
    app.state.database.close()


def running(world: World) -> str:
    """A submission that has predicted 10 of 40 reviews in 5 s, and all of a hidden dataset."""
    submission_id = world.submit(GOOD, queue=False)
    reviews = world.add_dataset("reviews", statements(40))
    secret = world.add_dataset("secret", statements(4, "hush"), role="hidden")
    seen = {"submission_id": submission_id, "status": "running", "total": 40, "done": 10, "seconds": 5.0}
    with world.database.begin() as db:
        db.get_one(Submission, submission_id).status = Status.RUNNING
        db.add(Evaluation(dataset_id=reviews.id, **seen))
        done = {"status": "finished", "total": 4, "done": 4, "seconds": 2.0}
        db.add(Evaluation(dataset_id=secret.id, predictions_key="x", **(seen | done)))
    return submission_id


def test_progress_has_speed_and_time_left_and_hides_hidden_datasets(
    client: TestClient, world: World, as_caller: Headers
) -> None:
    path = f"/submissions/{running(world)}/evaluations"

    mine: dict[str, Any] = client.get(path, headers=as_caller("ada")).json()
    operators = client.get(path, headers=as_caller("root", Role.ADMIN)).json()

    assert [item["dataset"] for item in mine["evaluations"]] == ["reviews"]
    assert [item["dataset"] for item in operators["evaluations"]] == ["reviews", "secret"]
    (reviews,) = mine["evaluations"]
    assert (reviews["done"], reviews["total"], reviews["status"]) == (10, 40, "running")
    assert (reviews["examples_per_second"], reviews["eta_seconds"], mine["eta_seconds"]) == (2, 15, 15)


def test_the_queue_is_first_come_first_served(client: TestClient, world: World, as_caller: Headers) -> None:
    waiting = [world.submit(GOOD) for _ in range(3)]
    places = [
        client.get(f"/submissions/{name}/evaluations", headers=as_caller("ada")).json()["queue_position"]
        for name in waiting
    ]
    assert places == [1, 2, 3]


def test_cancelled_is_final_until_it_is_retried(client: TestClient, world: World, as_caller: Headers) -> None:
    submission_id, ada = running(world), as_caller("ada")

    cancelled = client.post(f"/submissions/{submission_id}/cancel", headers=ada).json()
    again = client.post(f"/submissions/{submission_id}/cancel", headers=ada)
    retried = client.post(f"/submissions/{submission_id}/retry", headers=ada).json()
    twice = client.post(f"/submissions/{submission_id}/retry", headers=ada)

    assert (cancelled["status"], cancelled["reason"]) == ("cancelled", "Cancelled by ada.")
    assert cancelled["evaluations"][0]["status"] == "waiting"
    assert again.status_code == 409
    assert again.json()["detail"] == "The submission is cancelled; only one that waits or runs can be cancelled."
    assert (retried["status"], retried["queue_position"]) == ("submitted", 1)
    assert twice.status_code == 409
    with world.database.begin() as db:
        assert db.scalar(select(func.count()).select_from(text("procrastinate_jobs"))) == 1


def test_an_upload_that_never_arrived_cannot_be_retried(client: TestClient, world: World, as_caller: Headers) -> None:
    submission_id = world.submit(GOOD, queue=False)
    with world.database.begin() as db:
        submission = db.get_one(Submission, submission_id)
        submission.status, submission.digest = Status.CANCELLED, None
    answer = client.post(f"/submissions/{submission_id}/retry", headers=as_caller("ada"))
    assert (answer.status_code, answer.json()["error"]) == (409, "Conflict")


def test_predictions_come_as_json_lines_or_parquet(client: TestClient, world: World, as_caller: Headers) -> None:
    submission_id = running(world)
    path, ada = f"/submissions/{submission_id}/predictions/reviews", as_caller("ada")
    early = client.get(path, headers=ada)
    evaluation = world.evaluations(submission_id)["reviews"]
    stored = encode(SENTIMENT, [Answer("x0", "neutral", None, None)])
    world.storage.put(predictions_key(evaluation.id), stored)
    with world.database.begin() as db:
        db.get_one(Evaluation, evaluation.id).predictions_key = predictions_key(evaluation.id)

    lines = client.get(path, headers=ada)
    parquet = client.get(path, headers=ada, params={"format": "parquet", "version": 1})

    assert early.status_code == 404
    assert json.loads(lines.content) == {"id": "0", "label": "neutral"}
    assert client.get(path, headers=as_caller("root", Role.ADMIN), params={"format": "parquet"}).content == stored
    assert pq.read_table(io.BytesIO(parquet.content)).num_rows == 1
    assert client.get(path, headers=ada, params={"version": 2}).status_code == 404
    assert client.get(path.replace("reviews", "secret"), headers=ada).status_code == 404


def test_the_log_is_its_owners(client: TestClient, world: World, as_caller: Headers) -> None:
    submission_id = world.submit(GOOD, queue=False)
    path = f"/submissions/{submission_id}/log"
    early = client.get(path, headers=as_caller("ada"))
    world.storage.put(log_key(submission_id), b"loaded\n")
    world.publish(submission_id)

    assert early.json()["detail"] == "There is no log yet: it is stored when the model has stopped."
    assert client.get(path, headers=as_caller("ada")).text == "loaded\n"
    assert client.get(path, headers=as_caller("root", Role.ADMIN)).status_code == 200
    assert client.get(path, headers=as_caller("bob")).status_code == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "evaluations"),
        ("GET", "log"),
        ("GET", "predictions/reviews"),
        ("POST", "cancel"),
        ("POST", "retry"),
    ],
)
def test_an_unpublished_submission_does_not_exist_for_others(
    method: str, path: str, client: TestClient, world: World, as_caller: Headers
) -> None:
    submission_id = running(world)
    for caller in (as_caller("bob", Role.TASK_OWNER), as_caller("", Role.ANONYMOUS)):
        answer = client.request(method, f"/submissions/{submission_id}/{path}", headers=caller)
        assert (answer.status_code, answer.json()["error"]) == (404, "NotFound")
    assert world.submission(submission_id).status == Status.RUNNING
