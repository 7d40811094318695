"""Talk to the model: over HTTP, against real TorchServe, one place only."""

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from fastapi.testclient import TestClient

from dynaboard.database import Database
from dynaboard.errors import Invalid
from dynaboard.identity import Role
from dynaboard.nlp_tasks import TASKS
from dynaboard.status import Status
from dynaboard.tables import Submission
from services.evaluator.app import create_app
from services.evaluator.interactive import checked_examples
from services.evaluator.settings import EvaluatorSettings
from services.evaluator.slot import Slot
from tests.evaluator.world import BROKEN, GOOD, SLOW, World, wait_until

Headers = Callable[..., dict[str, str]]
WELL = {"examples": [{"statement": "positive, all of it"}, {"statement": "nothing"}]}


@pytest.fixture
def client(settings: EvaluatorSettings, world: World) -> Iterator[TestClient]:
    """The evaluator with its event loop running."""
    with TestClient(create_app(settings)) as client:
        yield client


def ask(client: TestClient, submission_id: str, headers: dict[str, str], body: object = WELL) -> Any:
    """POST a question."""
    return client.post(f"/submissions/{submission_id}/predict", headers=headers, json=body)


def test_a_model_is_started_on_demand_kept_while_used_and_stopped_when_idle(
    client: TestClient, world: World, as_caller: Headers, runs: Path
) -> None:
    mine = world.submit(GOOD, queue=False)

    with ThreadPoolExecutor(4) as people:
        answers = [answer.json() for answer in people.map(lambda _: ask(client, mine, as_caller("ada")), range(4))]

    assert [[item["label"] for item in answer["answers"]] for answer in answers] == [["positive", "neutral"]] * 4
    assert sum(answer["started_now"] for answer in answers) == 1
    again = ask(client, mine, as_caller("ada")).json()
    assert not again["started_now"]
    assert again["milliseconds"] < answers[0]["milliseconds"]
    wait_until(lambda: not list(runs.iterdir()))


def test_one_place_goes_to_who_asks_and_nobody_waits_for_a_busy_one(
    client: TestClient, world: World, as_caller: Headers, runs: Path
) -> None:
    slow, other = world.submit(SLOW, queue=False), world.submit(GOOD, queue=False)
    long = {"examples": [{"statement": "waits " * 5}]}
    answers: list[Any] = []
    busy = threading.Thread(target=lambda: answers.append(ask(client, slow, as_caller("ada"), long)))
    busy.start()
    wait_until(lambda: runs.is_dir() and list(runs.iterdir()))

    refused = ask(client, other, as_caller("ada"))
    busy.join()
    evicting = ask(client, other, as_caller("ada"))

    assert refused.status_code == 503
    assert refused.json()["detail"] == "All places for talking to models are taken; try again in a minute."
    assert answers[0].status_code == 200
    assert evicting.json()["started_now"]


def test_a_model_that_fails_tells_why_and_makes_room(
    client: TestClient, world: World, as_caller: Headers, runs: Path
) -> None:
    broken = world.submit(BROKEN, queue=False)
    answer = ask(client, broken, as_caller("ada"))
    assert answer.status_code == 422
    assert answer.json() == {
        "error": "ModelFailure",
        "detail": "Handler.predict() raised ValueError: my vocabulary is empty",
    }
    wait_until(lambda: not list(runs.iterdir()))


def test_no_question_is_answered_beside_a_measurement(
    client: TestClient, world: World, as_caller: Headers, database: Database
) -> None:
    mine, slot = world.submit(GOOD, queue=False), Slot(database)

    async def while_measuring() -> Any:
        async with slot.exclusive(socket.gethostname()):
            return await anyio.to_thread.run_sync(lambda: ask(client, mine, as_caller("ada")))

    answer = anyio.run(while_measuring)
    assert answer.status_code == 503
    assert "being measured on this machine" in answer.json()["detail"]


def test_others_may_ask_published_finished_models_only(client: TestClient, world: World, as_caller: Headers) -> None:
    secret, running, predictions = (world.submit(GOOD, queue=False) for _ in range(3))
    world.publish(running, Status.RUNNING)
    with world.database.begin() as db:
        db.get_one(Submission, predictions).kind = "predictions"
    world.publish(predictions)
    bob = as_caller("bob", Role.READER)
    assert ask(client, secret, bob).status_code == 404
    assert ask(client, running, bob).json()["detail"].endswith("is not finished; its model cannot be asked yet.")
    refused = ask(client, predictions, bob)
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "Only predictions were submitted here; there is no model to ask.",
    )


@pytest.mark.parametrize(
    ("example", "sentence"),
    [
        ({"context": "It rains."}, "Example 1 lacks hypothesis; an example of nli has context and hypothesis."),
        ({"context": "a", "hypothesis": "b", "label": "c"}, "Example 1 has the unknown field 'label'"),
        ({"context": " ", "hypothesis": "b"}, "Example 1: context is empty."),
        ({"context": "a" * 20_001, "hypothesis": "b"}, "Example 1: context is longer than 20,000 characters."),
    ],
)
def test_a_question_must_have_the_fields_of_its_task(example: dict[str, str], sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        checked_examples(TASKS["nli"], [example])
    assert refusal.value.detail.startswith(sentence)
