"""Boards of the past, and why they differ from those of today."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from dynaboard.board_schemas import BoardDifference
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.nlp_tasks import SHIPPED
from dynaboard.publications import record_publication
from dynaboard.tables import Dataset, DatasetChange, Measurement, Model, Score, Submission, TaskDefinition, TaskSetting
from tests.scoring.world import World, labelled

Get = Callable[..., httpx.Response]
Land = Callable[..., Model]


@pytest.fixture
def at(get: Get) -> Callable[..., LeaderboardView]:
    def board(time: datetime, **params: Any) -> LeaderboardView:
        answer = get(as_of=time.isoformat(), **params)
        assert answer.status_code == 200, answer.text
        return LeaderboardView(**answer.json())

    return board


At = Callable[..., LeaderboardView]


def publish(world: World, model: Model, published: bool) -> None:
    with world.database.begin() as db:
        found = db.get_one(Model, model.id)
        found.published = published
        record_publication(db, found)


def names(board: LeaderboardView) -> list[str]:
    return [row.name for row in board.rows]


def test_models_that_landed_later_are_not_there_yet(land: Land, at: At, get: Get) -> None:
    start = datetime.now(UTC)
    land("one", 5)
    middle = datetime.now(UTC)
    land("two", 3)
    assert [names(at(time)) for time in (start, middle, datetime.now(UTC))] == [[], ["one"], ["one", "two"]]
    now = LeaderboardView(**get().json())
    assert [row.score for row in at(datetime.now(UTC)).rows] == [row.score for row in now.rows]


def test_a_model_is_there_while_it_was_published(world: World, land: Land, at: At) -> None:
    model = land("one", 5, published=False)
    publish(world, model, False)
    hidden = datetime.now(UTC)
    publish(world, model, True)
    shown = datetime.now(UTC)
    publish(world, model, False)
    assert [names(at(time)) for time in (hidden, shown, datetime.now(UTC))] == [[], ["one"], []]


def test_a_new_version_of_a_dataset_does_not_reach_back(world: World, land: Land, at: At) -> None:
    land("one", 5)
    before = datetime.now(UTC)
    world.dataset("sst", labelled(["neutral"]), version=2)
    assert at(before).datasets[0]["version"] == 1
    assert at(before).rows[0].rank == 1
    assert at(datetime.now(UTC)).datasets[0]["version"] == 2


def test_a_dataset_counts_as_it_did_then(world: World, land: Land, at: At, get: Get) -> None:
    land("one", 5)
    before = datetime.now(UTC)
    with world.database.begin() as db:
        (dataset,) = db.query(Dataset).all()
        words = {"task": dataset.task, "dataset_id": dataset.id, "active": True, "created_by": "olga"}
        db.add(DatasetChange(role="scoring", created_at=dataset.created_at, **words))
        dataset.role = "standard"
        db.flush()
        db.add(DatasetChange(role="standard", **words))
    assert at(before).dataset_weights == {"sst": 1}
    assert at(datetime.now(UTC)).dataset_weights == LeaderboardView(**get().json()).dataset_weights == {}
    with world.database.begin() as db:
        db.query(Dataset).one().role = "hidden"
    assert at(before).datasets == []


def test_a_new_measurement_and_a_new_version_of_a_model_do_not_reach_back(world: World, land: Land, at: At) -> None:
    model = land("one", 5)
    before = datetime.now(UTC)
    land("one", 3, version=2)
    assert (at(before).rows[0].version, at(before).rows[0].score) == (1, 100)
    assert at(datetime.now(UTC)).rows[0].version == 2
    with world.database.begin() as db:
        assert db.get_one(Model, model.id).name == "one"


def test_a_submission_that_runs_again_on_a_new_dataset_stays_on_the_boards_of_the_past(
    world: World, land: Land, at: At
) -> None:
    model = land("one", 5)
    before = datetime.now(UTC)
    with world.database.begin() as db:
        submission = db.query(Submission).filter_by(model_id=model.id).one()
        submission.status, submission.finished_at = "running", None
    assert names(at(before)) == ["one"]


def test_a_time_needs_its_zone(get: Get) -> None:
    assert get(as_of="2026-05-03T12:00:00").status_code == 422


def test_every_change_is_explained_to_the_digit_and_in_words(world: World, land: Land, get: Get, at: At) -> None:
    for name, right in (("one", 5), ("two", 3), ("three", 2)):
        land(name, right)
    before = datetime.now(UTC)
    land("four", 1)
    land("one", 4, version=2)
    answer = get("/leaderboards/sentiment/difference", **{"from": before.isoformat()})
    assert answer.status_code == 200, answer.text
    found = BoardDifference(**answer.json())
    assert (found.joined, found.left) == (["four"], [])
    scores = [{row.name: row.score for row in board.rows} for board in (at(before), LeaderboardView(**get().json()))]
    for model in found.models:
        assert [model.before, model.after] == pytest.approx([board[model.name] for board in scores])
        assert sum(model.terms.values()) == pytest.approx(model.after - model.before, abs=1e-9)
    (one,) = [model for model in found.models if model.name == "one"]
    assert (one.version_before, one.version_after) == (1, 2)
    assert one.terms["own results"] < 0
    assert "version 1 → 2, performance on sst 100 → 80" in one.words
    (two,) = [model for model in found.models if model.name == "two"]
    assert two.terms["own results"] == 0
    assert "exchange rates by models that joined" in two.words
    assert "(four)" in two.words


def test_nothing_between_two_times_is_no_change(land: Land, get: Get) -> None:
    land("one", 5)
    now = datetime.now(UTC)
    times = {"from": now.isoformat(), "to": (now + timedelta(seconds=1)).isoformat()}
    found = BoardDifference(**get("/leaderboards/sentiment/difference", **times).json())
    assert [model.words for model in found.models] == ["one stays at 100.00."]


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({}, "from: "),
        ({"from": "2026-05-03T12:00:00Z", "to": "2026-05-02T12:00:00Z"}, "`to` must not lie before `from`."),
        ({"from": "2026-05-03T12:00:00Z", "as_of": "2026-05-03T12:00:00Z"}, "not with `as_of`"),
    ],
)
def test_times_that_make_no_difference_are_told(get: Get, params: dict[str, str], sentence: str) -> None:
    answer = get("/leaderboards/sentiment/difference", **params)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_cells_are_known_from_when_they_were_written(world: World, land: Land, at: At) -> None:
    land("one", 5)
    with world.database.begin() as db:
        late = datetime.now(UTC) + timedelta(days=1)
        for cell in (*db.query(Score).all(), *db.query(Measurement).all()):
            cell.created_at = late
    (row,) = at(datetime.now(UTC)).rows
    assert (row.rank, row.metrics["performance"]) == (None, None)


def test_a_board_of_the_past_is_ranked_by_the_metric_of_its_time(world: World, land: Land, at: At) -> None:
    land("one", 3)
    before = datetime.now(UTC)
    changed = SHIPPED["sentiment"].model_dump(mode="json", exclude_defaults=True)
    changed |= {"performance_metric": "macro_f1", "metrics": ["accuracy"]}
    world.add(TaskDefinition(task="sentiment", version=1, definition=changed, created_by="olga"))
    values = [at(time).rows[0].metrics["performance"] for time in (before, datetime.now(UTC))]
    assert values[0] is not None
    assert values[1] is not None
    assert values[0].value == pytest.approx(60)
    assert values[1].value != pytest.approx(60)


def test_a_change_of_the_settings_is_named_where_it_moves_scores(world: World, land: Land, get: Get) -> None:
    land("one", 3)
    land("two", 2)
    before = datetime.now(UTC)
    settings = {"weights": {"memory": 40}}
    world.add(TaskSetting(task="sentiment", version=1, settings=settings, created_by="olga"))
    answer = get("/leaderboards/sentiment/difference", **{"from": before.isoformat()})
    found = BoardDifference(**answer.json())
    assert "the task's settings: version 0 → 1" in found.models[0].words
