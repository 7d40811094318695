"""What a task's owner sets: versions, the boards they make, trying them out, and how they are refused."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from dynaboard.identity import Role
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.tables import Board, Model
from dynaboard.task_schemas import SettingsView, TaskView
from tests.scoring.world import World, labelled

Get = Callable[..., httpx.Response]
Land = Callable[..., Model]
PATH = "/tasks/sentiment/settings"
SPEED_ONLY = {"weights": {"performance": 0, "throughput": 1, "memory": 0, "fairness": 0, "robustness": 0}}


@pytest.fixture
def send(client: httpx.Client, as_caller: Callable[..., dict[str, str]]) -> Callable[..., httpx.Response]:
    """A request with a body, as a task's owner unless another role is given."""

    def call(method: str, path: str, body: dict[str, Any], role: Role = Role.TASK_OWNER) -> httpx.Response:
        return client.request(method, path, json=body, headers=as_caller("olga", role))

    return call


Send = Callable[..., httpx.Response]


def names(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [row.name for row in LeaderboardView(**answer.json()).rows]


def test_without_any_settings_the_papers_defaults_are_in_force(get: Get) -> None:
    found = SettingsView(**get(PATH).json())
    assert (found.version, found.created_by, found.history) == (0, None, [])
    assert found.weights == {
        "performance": 0.5,
        **dict.fromkeys(("throughput", "memory", "fairness", "robustness"), 0.125),
    }
    assert found.memory_budget_gib == 32


def test_settings_rank_the_board_of_whoever_chooses_nothing(land: Land, get: Get, send: Send) -> None:
    land("slow-and-right", 4, id="a" * 32)
    land("wrong", 2)
    assert names(get()) == ["slow-and-right", "wrong"]
    answer = send("PUT", PATH, {"weights": {"memory": 400}})
    assert answer.status_code == 200, answer.text
    board = LeaderboardView(**get().json())
    assert board.settings_version == 1
    assert board.task_weights == {"performance": 4, "throughput": 1, "memory": 400, "fairness": 1, "robustness": 1}
    assert board.weights["memory"] == pytest.approx(400 / 405)


def test_every_version_stays_with_its_author_and_time(get: Get, send: Send) -> None:
    send("PUT", PATH, {"epsilon": {"mode": "absolute", "value": 1}})
    send("PUT", PATH, {"epsilon": {"mode": "absolute", "value": 2}})
    found = SettingsView(**get(PATH).json())
    assert [(each.version, each.settings.epsilon.value, each.created_by) for each in found.history] == [
        (2, 2, "olga"),
        (1, 1, "olga"),
    ]
    assert found.history[0].created_at == found.created_at


def test_the_same_settings_again_are_no_new_version(get: Get, send: Send) -> None:
    for _ in range(2):
        assert SettingsView(**send("PUT", PATH, SPEED_ONLY).json()).version == 1


def test_a_change_of_settings_is_recorded_and_told_to_watchers(world: World, land: Land, send: Send) -> None:
    land("one", 3)
    send("PUT", PATH, SPEED_ONLY)
    with world.database.begin() as db:
        boards = db.query(Board).order_by(Board.id).all()
    assert [board.submission_id is None for board in boards] == [False, True]
    assert boards[-1].document["settings_version"] == 1


def test_a_board_of_the_past_has_the_settings_of_its_time(land: Land, get: Get, send: Send) -> None:
    land("one", 3)
    land("two", 2)
    before = datetime.now(UTC).isoformat()
    send("PUT", PATH, SPEED_ONLY | {"base_metric": "throughput"})
    then, today = (LeaderboardView(**get(**at).json()) for at in ({"as_of": before}, {}))
    assert (then.settings_version, then.task_weights["throughput"], then.base_metric) == (0, 1, "performance")
    assert (today.settings_version, today.weights["throughput"], today.base_metric) == (1, 1, "throughput")


def test_what_a_viewer_chooses_goes_over_the_settings(land: Land, get: Get, send: Send) -> None:
    land("one", 3)
    land("two", 2)
    send(
        "PUT",
        PATH,
        {"weights": {"memory": 3, "fairness": 0, "robustness": 0}, "epsilon": {"mode": "absolute", "value": 2}},
    )
    board = LeaderboardView(**get(**{"weight.throughput": 11}).json())
    assert (board.weights["throughput"], board.weights["memory"]) == pytest.approx((11 / 18, 3 / 18))
    assert board.epsilon["value"] == 2
    assert LeaderboardView(**get(epsilon_mode="relative").json()).epsilon["value"] == 1e-4
    assert LeaderboardView(**get(epsilon=3).json()).epsilon | {"threshold": 0} == {
        "mode": "absolute",
        "value": 3,
        "threshold": 0,
    }


def test_a_budget_of_the_owners_goes_before_the_hardwares(land: Land, get: Get, send: Send) -> None:
    land("one", 3)
    send("PUT", PATH, {"memory_budget_gib": 16})
    assert LeaderboardView(**get().json()).memory_budget_gib == 16


def test_a_preview_is_the_board_that_the_change_makes(land: Land, get: Get, send: Send) -> None:
    for name, right in (("one", 5), ("two", 3), ("three", 2)):
        land(name, right)
    proposed = {"weights": {"memory": 9}, "memory_budget_gib": 8, "epsilon": {"mode": "absolute", "value": 0.5}}
    answer = send("POST", f"{PATH}/preview", proposed)
    preview = LeaderboardView(**answer.json())
    assert preview.settings_version is None
    assert SettingsView(**get(PATH).json()).version == 0
    send("PUT", PATH, proposed)
    made = LeaderboardView(**get().json())
    apart = {"settings_version": None, "generated_at": made.generated_at}
    assert made.model_copy(update=apart) == preview.model_copy(update=apart)


def test_a_dataset_of_weight_0_does_not_count(world: World, land: Land, get: Get, send: Send) -> None:
    land("one", 3)
    world.dataset("new", labelled(["neutral"]))
    assert LeaderboardView(**get().json()).rows[0].rank is None
    answer = send("PUT", PATH, {"dataset_weights": {"new": 0}})
    assert SettingsView(**answer.json()).dataset_weights == {"new": 0, "sst": 1}
    assert LeaderboardView(**get().json()).rows[0].rank == 1


def test_a_slice_of_a_dataset_that_does_not_count_is_still_a_board(
    world: World, land: Land, get: Get, send: Send
) -> None:
    land("one", 3)
    world.dataset("new", labelled(["neutral"], tags=["rare"]), tags={"rare": 1})
    send("PUT", PATH, {"dataset_weights": {"new": 0}})
    assert get(tag="rare").status_code == 200


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"dataset_weights": {"sst": 0}}, "All dataset weights are 0; give at least one dataset a weight above 0."),
        ({"dataset_weights": {"imdb": 1}}, "There is no dataset 'imdb' here; a weight may name: sst."),
        ({"weights": dict.fromkeys(SPEED_ONLY["weights"], 0)}, "All metric weights are 0"),
        ({"weights": {"speed": 1}}, "weights.speed.[key]: Input should be 'performance'"),
        ({"weights": {"memory": -1}}, "weights.memory: Input should be greater than or equal to 0"),
        ({"memory_budget_gib": 0}, "memory_budget_gib: Input should be greater than 0"),
        ({"epsilon": {"mode": "most"}}, "epsilon.mode: Input should be 'relative' or 'absolute'"),
        ({"budget": 3}, "budget: Extra inputs are not permitted"),
    ],
)
@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_settings_that_cannot_be_are_refused_in_a_sentence(
    land: Land, send: Send, method: str, body: dict[str, Any], sentence: str
) -> None:
    land("one", 3)
    answer = send(method, PATH if method == "PUT" else f"{PATH}/preview", body)
    assert answer.status_code == 422
    assert sentence in answer.json()["detail"]


def test_a_change_of_an_old_version_is_refused(send: Send) -> None:
    assert send("PUT", PATH, SPEED_ONLY | {"based_on": 0}).status_code == 200
    answer = send("PUT", PATH, {"based_on": 0})
    assert answer.status_code == 409
    assert "Somebody has set version 1 since you read version 0" in answer.json()["detail"]
    assert send("PUT", PATH, {"based_on": 1}).status_code == 200


@pytest.mark.parametrize(("method", "path"), [("PUT", PATH), ("POST", f"{PATH}/preview")])
def test_only_task_owners_set_anything(send: Send, method: str, path: str) -> None:
    assert send(method, path, {}, Role.SUBMITTER).status_code == 403
    assert send(method, path, {}, Role.ADMIN).status_code == 200


def test_the_tasks_are_listed_with_their_settings(get: Get, send: Send) -> None:
    send("PUT", PATH, SPEED_ONLY)
    tasks = {task["name"]: TaskView(**task) for task in get("/tasks").json()}
    assert set(tasks) == {"nli", "qa", "sentiment", "hate-speech"}
    assert tasks["sentiment"].default_weights["throughput"] == 1
    assert (tasks["sentiment"].settings_version, tasks["nli"].settings_version) == (1, 0)
    assert all(list(task.example) == task.inputs for task in tasks.values())


def test_a_snapshot_keeps_the_settings_under_which_it_was_taken(
    land: Land, get: Get, send: Send, client: httpx.Client, as_caller: Callable[..., dict[str, str]]
) -> None:
    land("one", 3)
    land("two", 2)
    send("PUT", PATH, {"weights": {"memory": 3}})
    frozen = client.post("/leaderboards/sentiment/snapshots", headers=as_caller("ada")).json()["id"]
    send("PUT", PATH, {})
    again = LeaderboardView(**get(f"/snapshots/{frozen}/leaderboard").json())
    assert (again.settings_version, again.task_weights["memory"]) == (1, 3)
    assert again.weights["memory"] == pytest.approx(3 / 8)
