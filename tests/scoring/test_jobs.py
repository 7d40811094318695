"""The job `score`: from stored predictions to cells, a finished submission and a recorded board."""

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg2
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from dynaboard import jobs
from dynaboard.board_events import CHANNEL
from dynaboard.database import Database
from dynaboard.errors import NotFound, PlatformFailure
from dynaboard.storage import Storage
from dynaboard.tables import Board, Score, Submission
from services.scoring.app import create_app
from services.scoring.settings import ScoringSettings
from tests.scoring.world import World, labelled

REFERENCES = ["positive", "negative", "neutral", "positive"]
RunScore = Callable[[str], None]


def _cells(database: Database, **where: Any) -> dict[str, Score]:
    with database.begin() as db:
        query = select(Score).filter_by(**({"tag": ""} | where))
        return {cell.metric: cell for cell in db.scalars(query)}


def _status(database: Database, submission: Submission) -> str:
    with database.begin() as db:
        return db.scalars(select(Submission.status).where(Submission.id == submission.id)).one()


def test_every_metric_that_applies_becomes_a_cell_with_its_interval(
    world: World, database: Database, run_score: RunScore
) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    evaluation = world.evaluation(submission, dataset, labelled(["positive", "negative", "positive", "positive"]))
    run_score(submission.id)
    cells = _cells(database)
    assert set(cells) == {"accuracy", "macro_f1", "f1_positive", "f1_negative", "f1_neutral"}
    accuracy = cells["accuracy"]
    assert (accuracy.value, accuracy.n, accuracy.unit, accuracy.hardware_profile) == (75, 4, "%", "")
    assert accuracy.low is not None
    assert accuracy.high is not None
    assert accuracy.low <= 75 <= accuracy.high
    assert (accuracy.model_digest, accuracy.dataset_digest) == (submission.digest, dataset.digest)
    assert accuracy.provenance["predictions_digest"] == evaluation.predictions_digest
    assert _status(database, submission) == "finished"


def test_predictions_are_matched_by_id_not_by_order(world: World, database: Database, run_score: RunScore) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    shuffled = [{"id": f"e{row}", "label": REFERENCES[row]} for row in (2, 0, 3, 1)]
    world.evaluation(submission, dataset, shuffled)
    run_score(submission.id)
    assert _cells(database)["accuracy"].value == 100


def test_probabilities_give_auroc_and_calibration(world: World, database: Database, run_score: RunScore) -> None:
    dataset = world.dataset("lftw", labelled(["hateful", "not-hateful"]), task="hate-speech")
    submission = world.submission("tiny", task="hate-speech")
    world.evaluation(
        submission,
        dataset,
        [
            {"label": "hateful", "prob_hateful": 0.9, "prob_not-hateful": 0.1},
            {"label": "not-hateful", "prob_hateful": 0.2, "prob_not-hateful": 0.8},
        ],
    )
    run_score(submission.id)
    cells = _cells(database)
    assert cells["auroc"].value == 100
    assert cells["calibration_error"].value == pytest.approx(15)


def test_a_missing_probability_leaves_auroc_out(world: World, database: Database, run_score: RunScore) -> None:
    dataset = world.dataset("lftw", labelled(["hateful", "not-hateful"]), task="hate-speech")
    submission = world.submission("tiny", task="hate-speech")
    answer = {"label": "hateful", "prob_hateful": 0.9, "prob_not-hateful": 0.1}
    world.evaluation(submission, dataset, [answer, {"label": "hateful"}])
    run_score(submission.id)
    assert "auroc" not in _cells(database)


def test_qa(world: World, database: Database, run_score: RunScore) -> None:
    dataset = world.dataset("squad", [{"answers": ["the Rhine", "Rhine"]}, {"answers": ["in Rome"]}], task="qa")
    submission = world.submission("tiny", task="qa")
    world.evaluation(submission, dataset, [{"answer": "Rhine.", "conf": 0.8}, {"answer": "Rome", "conf": 0.6}])
    run_score(submission.id)
    cells = _cells(database)
    assert cells["squad_em"].value == 50
    assert cells["squad_f1"].value == pytest.approx((100 + 200 / 3) / 2)
    assert cells["calibration_error"].value == pytest.approx(100 * (0.2 + 0.6) / 2)


def test_the_performance_metric_is_also_given_for_each_tag(
    world: World, database: Database, run_score: RunScore
) -> None:
    examples = [*labelled(["positive", "negative"], tags=["short", "slang"]), *labelled(["neutral"], tags=["short"])]
    dataset, submission = world.dataset("sst", examples), world.submission("tiny")
    world.evaluation(submission, dataset, labelled(["positive", "positive", "neutral"]))
    run_score(submission.id)
    short, slang = _cells(database, tag="short"), _cells(database, tag="slang")
    assert set(short) == set(slang) == {"accuracy"}
    assert (short["accuracy"].value, short["accuracy"].n) == (pytest.approx(200 / 3), 3)
    assert (slang["accuracy"].value, slang["accuracy"].n) == (50, 2)


def test_running_twice_changes_nothing(world: World, database: Database, run_score: RunScore) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    world.evaluation(submission, dataset, labelled(REFERENCES))
    run_score(submission.id)
    run_score(submission.id)
    with database.begin() as db:
        assert db.scalar(select(func.count(Score.id)).where(Score.metric == "accuracy")) == 1
        assert db.scalar(select(func.count(Board.id))) == 1


def test_a_job_that_was_killed_half_way_is_finished_by_the_next(
    world: World, database: Database, run_score: RunScore
) -> None:
    one, two = world.dataset("one", labelled(REFERENCES)), world.dataset("two", labelled(REFERENCES))
    submission = world.submission("tiny", status="scoring")
    for dataset in (one, two):
        world.evaluation(submission, dataset, labelled(REFERENCES))
    run_score(submission.id)
    assert _status(database, submission) == "finished"
    with database.begin() as db:
        assert db.scalar(select(func.count(Score.id)).where(Score.metric == "accuracy")) == 2


@pytest.mark.parametrize("status", ["cancelled", "finished", "running"])
def test_a_submission_that_is_not_predicted_is_left_alone(
    world: World, database: Database, run_score: RunScore, status: str
) -> None:
    submission = world.submission("tiny", status=status)
    run_score(submission.id)
    assert _status(database, submission) == status
    with database.begin() as db:
        assert db.scalar(select(func.count(Board.id))) == 0


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        (labelled(REFERENCES[:3]), "lack 1 of 4 examples"),
        ([{"id": "e0", "label": "positive"}] * 2, "hold an example twice"),
        (labelled([*REFERENCES, "neutral"]), "name an example 'e4' that the dataset lacks"),
    ],
)
def test_predictions_that_do_not_fit_the_dataset_are_the_platforms_fault(
    world: World, run_score: RunScore, answers: list[dict[str, str]], sentence: str
) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    world.evaluation(submission, dataset, answers)
    with pytest.raises(PlatformFailure, match=sentence):
        run_score(submission.id)


def test_a_changed_byte_in_the_predictions_is_found(world: World, storage: Storage, run_score: RunScore) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    evaluation = world.evaluation(submission, dataset, labelled(REFERENCES))
    assert evaluation.predictions_key
    storage.put(evaluation.predictions_key, storage.get(evaluation.predictions_key) + b"\0")
    with pytest.raises(PlatformFailure, match="are not those recorded"):
        run_score(submission.id)


def test_lost_predictions_are_told(world: World, storage: Storage, run_score: RunScore) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    evaluation = world.evaluation(submission, dataset, labelled(REFERENCES))
    storage.delete(evaluation.predictions_key or "")
    with pytest.raises(NotFound):
        run_score(submission.id)


def test_the_board_is_recorded_as_everybody_sees_it(world: World, database: Database, run_score: RunScore) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    for name, hidden in (("open", False), ("shy", True)):
        submission = world.submission(name, anonymous=hidden)
        world.evaluation(submission, dataset, labelled(REFERENCES))
        world.cost(submission, dataset, 10, 1)
        run_score(submission.id)
    with database.begin() as db:
        first, second = db.scalars(select(Board).order_by(Board.id)).all()
    assert [row["name"] for row in first.document["rows"]] == ["open"]
    assert {row["name"]: row["owner"] for row in second.document["rows"]} == {"open": "ada", "shy": None}
    assert first.digest != second.digest


def test_boards_landing_at_once_leave_the_newest_with_all_of_them(
    world: World, database: Database, run_score: RunScore
) -> None:
    dataset = world.dataset("sst", labelled(REFERENCES))
    submissions = [world.submission(f"model-{number}") for number in range(4)]
    for submission in submissions:
        world.evaluation(submission, dataset, labelled(REFERENCES))
    threads = [threading.Thread(target=run_score, args=(submission.id,)) for submission in submissions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.begin() as db:
        newest = db.scalars(select(Board).order_by(Board.id.desc()).limit(1)).one()
    assert len(newest.document["rows"]) == 4


def test_watchers_are_notified_when_the_board_is_there(
    world: World, database: Database, run_score: RunScore, database_url: str
) -> None:
    submission = world.submission("tiny")
    listener = psycopg2.connect(database_url)
    listener.autocommit = True
    with listener.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
        run_score(submission.id)
        cursor.execute("SELECT 1")
    (notification,) = listener.notifies
    listener.close()
    with database.begin() as db:
        board = db.scalars(select(Board)).one()
    assert json.loads(notification.payload) == {"task": "sentiment", "board": board.id, "digest": board.digest}


def test_the_services_own_worker_runs_the_job(world: World, database: Database, platform: dict[str, Any]) -> None:
    dataset, submission = world.dataset("sst", labelled(REFERENCES)), world.submission("tiny")
    world.evaluation(submission, dataset, labelled(REFERENCES))
    with database.begin() as db:
        jobs.defer(db, jobs.SCORE, submission.id)
    with TestClient(create_app(ScoringSettings(**platform))):
        deadline = time.monotonic() + 20
        while _status(database, submission) != "finished" and time.monotonic() < deadline:
            time.sleep(0.02)
    assert _status(database, submission) == "finished"
