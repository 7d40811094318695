"""Predictions on a test set wait for the day of its labels: nothing is scored or shown before, everything after."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from dynaboard.identity import Role
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Board, Dataset, Score, Submission
from services.scoring.release import score_released
from tests.scoring.world import World, labelled

Get = Callable[..., httpx.Response]
RIGHT = ["positive", "negative", "neutral", "positive", "positive"]


def day(number: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=number)


@pytest.fixture
def waiting(world: World, run_score: Callable[[str], None]) -> tuple[Dataset, list[Submission]]:
    """Two finished models on an old set and on one whose labels are released tomorrow."""
    old = world.dataset("old", labelled(RIGHT, statement="A film."))
    ami = world.dataset(
        "ami", labelled(RIGHT[::-1], statement="A film."), unlabelled_from=day(-1), released_from=day(1)
    )
    submissions = [world.submission(name, owner="pia") for name in ("one", "two")]
    for number, submission in enumerate(submissions):
        for dataset in (old, ami):
            answers = labelled([*RIGHT[: 4 - number], *["neutral"] * (1 + number)])
            world.evaluation(submission, dataset, answers)
            world.cost(submission, dataset, 10.0 + number, 4.0 - number)
        run_score(submission.id)
    return ami, submissions


Waiting = tuple[Dataset, list[Submission]]


def release(world: World, dataset: Dataset) -> None:
    with world.database.begin() as db:
        db.get_one(Dataset, dataset.id).released_from = day(-1)


def scored(world: World, dataset: Dataset) -> int:
    with world.database.begin() as db:
        return db.query(Score).filter_by(dataset_digest=dataset.digest).count()


def test_nothing_is_scored_before_the_day(world: World, waiting: Waiting) -> None:
    ami, _ = waiting
    assert scored(world, ami) == 0
    assert score_released(world.database, world.storage, 50) == 0
    assert scored(world, ami) == 0


@pytest.mark.parametrize("role", [Role.ANONYMOUS, Role.SUBMITTER, Role.TASK_OWNER])
def test_no_route_tells_anything_of_it_before_the_day(
    role: Role,
    waiting: Waiting,
    client: httpx.Client,
    as_caller: Callable[..., dict[str, str]],
) -> None:
    ami, (first, second) = waiting
    boards, pair = "/leaderboards/sentiment", {"a": first.model_id, "b": second.model_id}
    asked: list[tuple[str, dict[str, str]]] = [
        (boards, {}),
        (boards, {"detail": "ranking"}),
        (f"{boards}.csv", {}),
        (f"{boards}.json", {"unpublished": "true"}),
        (f"{boards}/pairs", {}),
        (f"{boards}/influence", {}),
        (f"{boards}/weight-map", {}),
        (f"{boards}/difference", {"from": day(-3).isoformat()}),
        (f"{boards}/discordance", pair),
        (f"{boards}/discordance", pair | {"dataset": "ami"}),
        (f"/submissions/{first.id}/scores", {}),
    ]
    headers = as_caller("pia", role)
    for path, params in asked:
        answer = client.get(path, params=params, headers=headers)
        cells = [cell for cell in answer.json() if cell["dataset"] == "ami"] if path.endswith("/scores") else []
        assert all(cell["metric"] in {"throughput", "memory"} for cell in cells)
        if not path.endswith("/scores"):
            assert ami.digest not in answer.text, (path, params)
    refused = client.get(f"{boards}/discordance", params=pair | {"dataset": "ami"}, headers=headers)
    assert refused.status_code == 404
    asking = client.get(boards, params={"dataset_weight.ami": 1}, headers=headers)
    assert asking.status_code == 422


def test_models_keep_their_ranks_while_a_set_waits(get: Get, waiting: Waiting) -> None:
    board = LeaderboardView(**get().json())
    assert [row.rank for row in board.rows] == [1, 2]
    assert list(board.dataset_weights) == ["old"]


def test_on_the_day_everything_that_waits_is_scored_and_the_board_tells(
    world: World, get: Get, waiting: Waiting
) -> None:
    ami, _ = waiting
    assert "ami" not in get().text
    release(world, ami)
    assert score_released(world.database, world.storage, 50) == 2
    board = LeaderboardView(**get().json())
    assert list(board.dataset_weights) == ["ami", "old"]
    assert all(row.rank for row in board.rows)
    with world.database.begin() as db:
        newest = db.query(Board).order_by(Board.id.desc()).first()
    assert newest is not None
    assert (newest.submission_id, list(newest.document["dataset_weights"])) == (None, ["ami", "old"])


def test_a_release_is_done_once(world: World, waiting: Waiting) -> None:
    ami, _ = waiting
    release(world, ami)
    assert score_released(world.database, world.storage, 50) == 2
    cells = scored(world, ami)
    assert score_released(world.database, world.storage, 50) == 0
    assert scored(world, ami) == cells > 0


def test_the_boards_of_the_days_before_stay_without_it(world: World, get: Get, waiting: Waiting) -> None:
    ami, _ = waiting
    before = datetime.now(UTC)
    with world.database.begin() as db:
        db.get_one(Dataset, ami.id).released_from = datetime.now(UTC)
    score_released(world.database, world.storage, 50)
    assert list(LeaderboardView(**get(as_of=before.isoformat()).json()).dataset_weights) == ["old"]
