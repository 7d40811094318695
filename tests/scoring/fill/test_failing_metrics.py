"""A metric that fails stops no other, and its operator is told."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client import REGISTRY
from sqlalchemy import select

from dynaboard.backfill_schemas import FillView
from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.nlp_tasks import SHIPPED
from dynaboard.storage import Storage
from dynaboard.tables import Score, Submission, now
from services.scoring.fill.filling import fill
from services.scoring.metrics import install
from tests.scoring.world import World, labelled

PLUG = """
from services.scoring.metrics.metric import mean_metric


def score(prediction, accepted):
    return 1 / {divisor}


METRIC = mean_metric("inverse", 1, score)
"""
FAILS_ON_NEUTRAL = "(prediction != 'neutral')"
REASON = "The metric inverse (version 1) failed: ZeroDivisionError: division by zero"
Client = Callable[..., Any]


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Callable[[str], None]]:
    """Puts the metric `inverse` there, which divides by this."""

    def put(divisor: str) -> None:
        (tmp_path / "inverse.py").write_text(PLUG.format(divisor=divisor))
        install(tmp_path)

    yield put
    install(None)


@pytest.fixture
def landed(
    world: World,
    run_score: Callable[[str], None],
    plug: Callable[[str], None],
    client: httpx.Client,
    as_caller: Callable[..., dict[str, str]],
) -> list[Submission]:
    """Two models on one dataset: on the answers of the second the metric fails, which is the task's since then."""
    dataset = world.dataset("one", labelled(["positive", "negative"]))
    found = []
    for name, answers in (("good", ["positive", "negative"]), ("meek", ["positive", "neutral"])):
        submission = world.submission(name)
        world.evaluation(submission, dataset, labelled(answers))
        run_score(submission.id)
        found.append(submission)
    plug(FAILS_ON_NEUTRAL)
    body = SHIPPED["sentiment"].model_dump(mode="json") | {"metrics": ["inverse", "macro_f1"]}
    assert client.put("/tasks/sentiment", json=body, headers=as_caller("olga", Role.TASK_OWNER)).status_code == 200
    return found


def filled(database: Database, storage: Storage, since: datetime | None = None) -> int:
    """How many evaluations were given metrics."""
    return fill(database, storage, 50, since=since)


def values(database: Database, metric: str) -> dict[str, float]:
    """By model digest."""
    with database.begin() as db:
        rows = db.execute(select(Score.model_digest, Score.value).filter_by(metric=metric, tag=""))
        return {row[0]: row[1] for row in rows}


@pytest.fixture
def view(client: httpx.Client, as_caller: Callable[..., dict[str, str]]) -> Callable[[], FillView]:
    """What a task's owner is shown."""

    def seen() -> FillView:
        headers = as_caller("olga", Role.TASK_OWNER)
        (found,) = client.get("/missing-metrics", params={"task": "sentiment"}, headers=headers).json()
        return FillView(**found)

    return seen


def test_where_it_fails_the_others_are_computed_and_where_not_it_is_too(
    landed: list[Submission], database: Database, storage: Storage
) -> None:
    filled(database, storage)
    assert values(database, "inverse") == {landed[0].digest: 100.0}
    assert len(values(database, "macro_f1")) == 2


def test_its_operator_is_told_and_it_is_counted(
    landed: list[Submission], database: Database, storage: Storage, view: Callable[[], FillView]
) -> None:
    counted = {"metric": "inverse"}
    before = REGISTRY.get_sample_value("dynaboard_metric_failures_total", counted) or 0
    filled(database, storage)
    (failed,) = view().failed
    assert (failed.metric, failed.version, failed.evaluations, failed.reason) == ("inverse", "1", 1, REASON)
    assert REGISTRY.get_sample_value("dynaboard_metric_failures_total", counted) == before + 1


def test_it_is_not_tried_for_ever_but_again_after_another_start(
    landed: list[Submission],
    database: Database,
    storage: Storage,
    plug: Callable[[str], None],
    view: Callable[[], FillView],
) -> None:
    started = now()
    assert filled(database, storage, since=started) == 2
    assert filled(database, storage, since=started) == 0
    plug("1")
    assert filled(database, storage, since=now()) == 1
    assert set(values(database, "inverse")) == {submission.digest for submission in landed}
    assert view().failed == []


def test_a_submission_is_scored_without_it(
    landed: list[Submission], world: World, database: Database, run_score: Callable[[str], None]
) -> None:
    dataset = world.dataset("two", labelled(["neutral"]))
    submission = world.submission("late")
    world.evaluation(submission, dataset, labelled(["neutral"]))
    run_score(submission.id)
    assert values(database, "accuracy")[submission.digest or ""] == 100.0
    assert submission.digest not in values(database, "inverse")
