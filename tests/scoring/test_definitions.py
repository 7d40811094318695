"""Tasks as definitions over HTTP: new ones, changes, what is refused, and who may."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from dynaboard.definition_schemas import DefinitionApplied, DefinitionView
from dynaboard.identity import Role
from dynaboard.leaderboard_schemas import LeaderboardView
from dynaboard.nlp_tasks import SHIPPED
from dynaboard.tables import Board, Model
from dynaboard.task_schemas import SettingsView, TaskView
from tests.scoring.world import World, labelled

Get = Callable[..., httpx.Response]
Put = Callable[..., httpx.Response]
IRONY: dict[str, Any] = {
    "name": "irony",
    "title": "Irony",
    "warning": "Irony is in the eye of the reader.",
    "inputs": [{"name": "post"}],
    "answer": {"kind": "label", "labels": ["ironic", "plain"]},
    "performance_metric": "macro_f1",
    "metrics": ["accuracy", "f1_ironic"],
    "example": {"post": "Great weather."},
}


@pytest.fixture
def put(client: httpx.Client, as_caller: Callable[..., dict[str, str]]) -> Put:
    """Send a definition, by default as a task's owner."""

    def send(body: dict[str, Any], name: str = "irony", role: Role = Role.TASK_OWNER, **query: Any) -> httpx.Response:
        return client.put(f"/tasks/{name}", json=body, params=query, headers=as_caller("olga", role))

    return send


def sentiment(**change: Any) -> dict[str, Any]:
    """The shipped definition, changed."""
    return SHIPPED["sentiment"].model_dump(mode="json", exclude_defaults=True) | change


def test_a_new_task_is_there_at_once(put: Put, get: Get) -> None:
    done = DefinitionApplied(**put(IRONY).json())
    assert (done.created, done.version, done.changes) == (True, 1, ["irony is a new task."])
    listed = [TaskView(**task) for task in get("/tasks").json()]
    assert [task.name for task in listed] == ["nli", "qa", "sentiment", "hate-speech", "irony"]
    assert (listed[-1].labels, listed[-1].metrics) == (["ironic", "plain"], ["accuracy", "f1_ironic"])
    board = LeaderboardView(**get("/leaderboards/irony").json())
    assert "Irony is in the eye of the reader." in board.warnings


def test_its_models_are_scored_with_its_metrics_and_ranked(
    put: Put, get: Get, world: World, run_score: Callable[[str], None]
) -> None:
    put(IRONY)
    dataset = world.dataset("posts", labelled(["ironic", "plain", "plain"]), task="irony")
    submission = world.submission("one", task="irony")
    world.evaluation(submission, dataset, labelled(["ironic", "plain", "ironic"]))
    run_score(submission.id)
    (row,) = LeaderboardView(**get("/leaderboards/irony").json()).rows
    assert row.rank == 1
    performance = row.metrics["performance"]
    assert performance is not None
    assert performance.value == pytest.approx(100 * (2 / 3 + 2 / 3) / 2)
    scores = get(f"/submissions/{submission.id}/scores").json()
    assert {score["metric"] for score in scores} == {"macro_f1", "accuracy", "f1_ironic"}


def test_a_definition_that_comes_with_dynaboard_is_version_0_until_it_is_changed(put: Put, get: Get) -> None:
    found = DefinitionView(**get("/tasks/sentiment").json())
    assert (found.version, found.created_by, found.definition.title) == (0, None, "Sentiment analysis")
    done = DefinitionApplied(**put(sentiment(title="Feelings"), "sentiment").json())
    assert (done.created, done.version, done.changes) == (False, 1, ["title: Sentiment analysis → Feelings"])
    found = DefinitionView(**get("/tasks/sentiment").json())
    assert (found.version, found.created_by, found.definition.title) == (1, "olga", "Feelings")


def test_what_get_gives_can_be_put_back_and_changes_nothing(put: Put, get: Get) -> None:
    put(IRONY)
    again = get("/tasks/irony").json()["definition"]
    assert DefinitionApplied(**put(again).json()).changes == []


def test_a_trial_changes_nothing(put: Put, get: Get) -> None:
    tried = DefinitionApplied(**put(sentiment(title="Feelings"), "sentiment", dry_run=True).json())
    assert (tried.applied, tried.version, tried.changes) == (False, 0, ["title: Sentiment analysis → Feelings"])
    assert get("/tasks/sentiment").json()["version"] == 0
    assert put(IRONY, dry_run=True).json()["created"]
    assert get("/tasks/irony").status_code == 404


def test_settings_in_a_definition_are_settings_and_without_them_they_stay(put: Put, get: Get) -> None:
    put(sentiment(settings={"memory_budget_gib": 8}), "sentiment")
    found = SettingsView(**get("/tasks/sentiment/settings").json())
    assert (found.version, found.settings.memory_budget_gib, found.created_by) == (1, 8, "olga")
    put(sentiment(title="Feelings"), "sentiment")
    assert SettingsView(**get("/tasks/sentiment/settings").json()).version == 1


def test_another_metric_ranks_from_the_next_board_on(
    land: Callable[..., Model], world: World, put: Put, get: Get
) -> None:
    land("one", 3)
    done = put(sentiment(performance_metric="macro_f1", metrics=["accuracy"]), "sentiment")
    assert done.status_code == 200, done.text
    (row,) = LeaderboardView(**get().json()).rows
    assert row.metrics["performance"] is not None
    assert row.metrics["performance"].value != pytest.approx(60)
    with world.database.begin() as db:
        assert db.query(Board).count() == 2


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"performance_metric": "rouge_9"}, 422, "There is no metric 'rouge_9' here; there are accuracy, auroc,"),
        ({"metrics": ["f1_sad"]}, 422, "There is no metric 'f1_sad' here"),
        ({"name": "sarcasm"}, 422, "The definition is of 'sarcasm', but it was sent to 'irony'."),
        ({"answer": {"kind": "label", "labels": ["a"]}}, 422, "needs at least two labels"),
        ({"settings": {"dataset_weights": {"imdb": 1}}}, 422, "There is no dataset 'imdb' here"),
    ],
)
def test_what_cannot_run_here_is_refused(put: Put, change: dict[str, Any], status: int, sentence: str) -> None:
    answer = put(IRONY | change)
    assert answer.status_code == status
    assert sentence in answer.json()["detail"]


def test_inputs_and_answers_stay_while_there_are_datasets(put: Put, world: World) -> None:
    put(IRONY)
    other = {"answer": {"kind": "label", "labels": ["ironic", "plain", "unsure"]}}
    assert put(IRONY | other).status_code == 200
    world.dataset("posts", labelled(["ironic"]), task="irony")
    answer = put(IRONY)
    assert answer.status_code == 409
    assert "The task irony has datasets that fit its inputs and answers as they are" in answer.json()["detail"]


@pytest.mark.parametrize("role", [Role.ANONYMOUS, Role.READER, Role.SUBMITTER])
def test_only_task_owners_define_tasks(put: Put, role: Role) -> None:
    assert put(IRONY, role=role).status_code in {401, 403}
    assert put(IRONY, role=role, dry_run=True).status_code in {401, 403}
