"""What a program does with the client."""

from pathlib import Path

import pytest

from dynaboard import archive, errors
from dynaboard.client import Client
from dynaboard.client.leaderboards import BoardQuery
from dynaboard.schemas import ModelChange, UserCreate
from tests.client.fake_gateway import PART, Gateway


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """An archive of five parts."""
    folder = tmp_path / "model"
    folder.mkdir()
    card = "card: {summary: Echo., licence: MIT}"
    (folder / "dynaboard.yaml").write_text(f"name: echo\ntask: sentiment\nhandler: handler.py:Handler\n{card}\n")
    (folder / "handler.py").write_text(
        "class Handler:\n    def load(self, d): ...\n    def predict(self, e): return []\n"
    )
    (folder / "weights.bin").write_bytes(bytes(range(256)) * (4 * PART // 256))
    archive.build(folder, tmp_path / "model.zip")
    return tmp_path / "model.zip"


def test_a_submission_is_checked_announced_uploaded_and_returned(
    client: Client, gateway: Gateway, packed: Path
) -> None:
    told: list[tuple[int, int]] = []
    view = client.submissions.submit(packed, publish=True, on_progress=lambda *progress: told.append(progress))
    assert (view.name, view.task, view.status, view.published) == ("echo", "sentiment", "submitted", True)
    assert b"".join(gateway.parts[view.id][number] for number in range(1, 6)) == packed.read_bytes()
    assert told[-1] == (packed.stat().st_size, packed.stat().st_size)


def test_a_refused_archive_is_not_announced(client: Client, gateway: Gateway, tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"no zip")
    with pytest.raises(errors.Invalid, match="not a zip"):
        client.submissions.submit(tmp_path / "no.zip")
    assert not gateway.submissions


def test_a_submission_is_followed_cancelled_and_retried(client: Client, gateway: Gateway) -> None:
    running = gateway.add_submission("running")
    assert client.submissions.get(running).evaluations[0].done == 250
    assert [view.id for view in client.submissions.mine()] == [running]
    assert client.submissions.cancel(running).status == "cancelled"
    assert client.submissions.retry(running).status == "submitted"
    assert client.submissions.log(running).endswith("naïve\n")


def test_a_finished_submission_cannot_be_cancelled(client: Client, gateway: Gateway) -> None:
    with pytest.raises(errors.Conflict, match="is finished"):
        client.submissions.cancel(gateway.add_submission("finished"))


def test_a_model_answers_examples(client: Client, gateway: Gateway) -> None:
    response = client.submissions.predict(gateway.add_submission("finished"), [{"statement": "fine"}])
    assert response.answers[0]["label"] == "positive"
    assert gateway.predicted == [{"statement": "fine"}]


def test_scores_carry_their_intervals(client: Client, gateway: Gateway) -> None:
    first = client.submissions.scores(gateway.add_submission("finished"))[0]
    assert (first.dataset, first.value, first.low, first.high) == ("reviews", 81.25, 79.75, 82.0)


def test_weights_and_choices_travel_in_the_query(client: Client, gateway: Gateway) -> None:
    query = BoardQuery({"performance": 4}, {"reviews": 0.5}, sort="memory", unpublished=True, limit=3)
    assert client.leaderboards.get("sentiment", query).rows[0].rank == 1
    asked = {"weight.performance": "4", "dataset_weight.reviews": "0.5"}
    assert gateway.board_queries == [asked | {"sort": "memory", "unpublished": "true", "limit": "3"}]


def test_without_choices_the_query_is_empty(client: Client, gateway: Gateway) -> None:
    client.leaderboards.get("sentiment")
    assert gateway.board_queries == [{}]


def test_each_change_of_a_board_is_told_once_and_comments_are_not(client: Client, gateway: Gateway) -> None:
    gateway.boards_changed = 3
    assert len(list(client.leaderboards.changes("sentiment"))) == 3


def test_a_model_is_changed_only_in_what_is_named(client: Client, gateway: Gateway) -> None:
    view = client.models.change("m" * 32, ModelChange(published=True))
    assert (view.published, view.anonymous) == (True, False)


def test_a_dataset_is_sent_as_it_is_with_its_words(client: Client, gateway: Gateway, tmp_path: Path) -> None:
    (tmp_path / "reviews.jsonl").write_bytes(b'{"id": "1"}\n')
    assert client.datasets.add(tmp_path / "reviews.jsonl", {"name": "reviews"}).version == 3
    assert gateway.dataset_uploads == [({"name": "reviews"}, b'{"id": "1"}\n')]


def test_only_an_administrator_adds_users(client: Client, gateway: Gateway) -> None:
    user = UserCreate(name="bob", role="reader")
    with Client(gateway.url, "root-key") as root:
        assert root.users.add(user).user == "bob"
        assert [who.name for who in root.users.all()] == ["ada", "root"]
    with pytest.raises(errors.Forbidden, match="admin"):
        client.users.add(user)


def test_the_tasks_say_what_a_model_gets_and_must_answer(client: Client) -> None:
    assert [(task.name, task.inputs) for task in client.tasks()] == [("sentiment", ["statement"])]


def test_without_a_key_the_public_things_are_there(gateway: Gateway) -> None:
    with Client(gateway.url) as nobody:
        assert nobody.leaderboards.get("sentiment").total == 4
        with pytest.raises(errors.Unauthorized):
            nobody.users.me()
