"""New metrics on old predictions, with no model and no evaluator anywhere."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, func, select

from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.nlp_tasks import TASKS
from dynaboard.storage import Storage
from dynaboard.tables import BackfillSwitch, Board, EmptyCell, Score, Submission
from services.scoring.fill.filling import fill
from services.scoring.fill.view import fill_view
from services.scoring.metrics import METRICS
from tests.scoring.world import World, labelled

REFERENCES = ["positive", "negative", "neutral", "positive", "positive"]


@pytest.fixture
def landed(world: World, run_score: Callable[[str], None]) -> list[Submission]:
    """Three models on two datasets, scored; the later ones are better by accuracy."""
    datasets = [world.dataset(name, labelled(REFERENCES)) for name in ("one", "two")]
    found = []
    for right in (1, 3, 4):
        submission = world.submission(f"model-{right}")
        answers = [label if place < right else "neutral" for place, label in enumerate(REFERENCES)]
        for dataset in datasets:
            world.evaluation(submission, dataset, labelled(answers))
        run_score(submission.id)
        found.append(submission)
    return found


def sentence(database: Database) -> str:
    with database.begin() as db:
        return fill_view(db, TASKS["sentiment"]).sentence


def macro_f1(database: Database) -> set[tuple[str, str, float]]:
    with database.begin() as db:
        found = select(Score.model_digest, Score.dataset_digest, Score.value).filter_by(metric="macro_f1")
        return {(row[0], row[1], row[2]) for row in db.execute(found)}


def counted(database: Database, **of: str) -> int:
    with database.begin() as db:
        return db.scalar(select(func.count(Score.id)).filter_by(tag="", **of)) or 0


@pytest.fixture
def corrected(monkeypatch: pytest.MonkeyPatch, landed: list[Submission], database: Database, storage: Storage) -> None:
    """Accuracy in a second version, which takes the worst model for the best."""
    flipped = replace(METRICS["accuracy"], version=2, value=lambda sums: 100 - 100 * sums[..., 0] / sums[..., 1])
    fill(database, storage, 50)
    monkeypatch.setitem(METRICS, "accuracy", flipped)
    fill(database, storage, 50)


def test_a_metric_that_came_later_is_computed_for_all_and_the_plan_is_empty_then(
    landed: list[Submission], database: Database, storage: Storage
) -> None:
    fill(database, storage, 50)
    kept = macro_f1(database)
    with database.begin() as db:
        db.execute(delete(Score).where(Score.metric == "macro_f1"))
        boards = db.scalar(select(func.count(Board.id)))
    assert sentence(database) == "6 cells of 1 metric from 30 stored predictions; no model is started"
    assert fill(database, storage, 50) == 6
    assert sentence(database) == "No metric is missing."
    assert macro_f1(database) == kept
    with database.begin() as db:
        assert db.scalar(select(func.count(Board.id))) == (boards or 0) + 1
    assert fill(database, storage, 50) == 0


def test_a_metric_that_does_not_apply_is_not_tried_for_ever(
    landed: list[Submission], database: Database, storage: Storage
) -> None:
    assert fill(database, storage, 50) == 6
    with database.begin() as db:
        assert set(db.scalars(select(EmptyCell.metric))) == {"auroc", "calibration_error"}
    assert fill(database, storage, 50) == 0


def test_two_fillings_at_once_give_each_cell_once(
    landed: list[Submission], database: Database, storage: Storage
) -> None:
    with database.begin() as db:
        db.execute(delete(Score).where(Score.metric == "macro_f1"))
    threads = [threading.Thread(target=fill, args=(database, storage, 50)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted(database, metric="macro_f1") == 6


def test_a_corrected_metric_stands_beside_the_old_one(corrected: None, database: Database) -> None:
    assert counted(database, metric="accuracy", metric_version="1") == 6
    assert counted(database, metric="accuracy", metric_version="2") == 6
    assert counted(database, metric="macro_f1") == 6


def test_who_moved_by_a_correction_is_told(
    corrected: None, client: httpx.Client, as_caller: Callable[..., dict[str, str]]
) -> None:
    asked = "/leaderboards/sentiment/metrics/accuracy/difference"
    found = client.get(asked, headers=as_caller("", Role.ANONYMOUS)).json()
    assert (found["before"], found["after"], found["in_force"]) == ("1", "2", "2")
    assert found["sentence"] == "2 of 3 models change places; the greatest change is 60.00 points"
    ranks: list[Any] = [(row["model"], row["rank_before"], row["rank_after"]) for row in found["models"]]
    assert ranks == [("model-1", 3, 1), ("model-3", 2, 2), ("model-4", 1, 3)]
    one = client.get(asked, params={"before": "7"}, headers=as_caller("", Role.ANONYMOUS))
    assert one.status_code == 404


def test_a_board_says_which_version_of_a_metric_it_shows(
    corrected: None, client: httpx.Client, as_caller: Callable[..., dict[str, str]]
) -> None:
    board = client.get("/leaderboards/sentiment", headers=as_caller("", Role.ANONYMOUS)).json()
    assert board["metric_versions"] == {"accuracy": "2", "fairness": "1", "robustness": "1"}


def test_a_paused_back_fill_computes_nothing(landed: list[Submission], database: Database, storage: Storage) -> None:
    with database.begin() as db:
        db.add(BackfillSwitch(task="sentiment", mode="paused", held=[], changed_by="root"))
        db.execute(delete(Score).where(Score.metric == "macro_f1"))
    assert fill(database, storage, 50) == 0
    assert counted(database, metric="macro_f1") == 0


def test_what_is_missing_is_for_task_owners(
    landed: list[Submission], client: httpx.Client, as_caller: Callable[..., dict[str, str]]
) -> None:
    assert client.get("/missing-metrics", headers=as_caller("rita", Role.READER)).status_code == 403
    (view,) = client.get(
        "/missing-metrics", params={"task": "sentiment"}, headers=as_caller("olga", Role.TASK_OWNER)
    ).json()
    assert {each["metric"] for each in view["metrics"]} == {"auroc", "calibration_error"}
