"""A test set with dates: what a participant can learn of it on each day, over every route of datasets."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dynaboard.app import service_app
from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.storage import Storage
from dynaboard.tables import Dataset, Score
from services.evaluator.datasets.routes import make_router
from services.evaluator.settings import EvaluatorSettings

Headers = dict[str, str]
ROWS = [
    {"id": f"{number}7-{label[0]}", "statement": f"Film number {number}.", "label": label, "tags": [f"is-{label}"]}
    for number, label in enumerate(["positive", "negative", "negative"])
]
FILE = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
WORDS = {
    "task": "sentiment",
    "name": "ami",
    "role": "scoring",
    "licence": "CC0-1.0",
    "citation": "x",
    "format": "jsonl",
}
SECRETS = ("positive", "negative", "7-p", "7-n", "is-")
READS = ("", "/sample", "/inputs", "/perturbations/robustness", "/perturbations/fairness")


def day(number: int) -> str:
    return (datetime.now(UTC) + timedelta(days=number)).isoformat()


@pytest.fixture
def client(platform: dict[str, Any], database: Database, storage: Storage) -> Iterator[TestClient]:
    settings = EvaluatorSettings(**platform)
    app = service_app("evaluator", settings, database)
    app.include_router(make_router(database, storage, settings))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def owner(as_caller: Callable[..., Headers]) -> Headers:
    return as_caller("olga", Role.TASK_OWNER)


@pytest.fixture
def participant(as_caller: Callable[..., Headers]) -> Headers:
    return as_caller("pia", Role.SUBMITTER)


@pytest.fixture
def test_set(client: TestClient, owner: Headers) -> Callable[[int, int], str]:
    """The address of the set, whose inputs open and whose labels are released so many days from now."""

    def add(opens: int, releases: int, file: bytes = FILE) -> str:
        dates = {"unlabelled_from": day(opens), "released_from": day(releases)}
        answer = client.post("/datasets", params=WORDS | dates, content=file, headers=owner)
        assert answer.status_code == 201, answer.text
        return f"/datasets/{answer.json()['id']}"

    return add


TestSet = Callable[..., str]


def told(answer: Any) -> list[str]:
    """The secrets that an answer holds, headers included."""
    text = answer.text + str(answer.headers)
    return [secret for secret in SECRETS if secret in text]


def test_before_its_day_a_set_can_be_heard_of_but_not_read(
    client: TestClient, participant: Headers, test_set: TestSet
) -> None:
    address = test_set(1, 2)
    answers = {path: client.get(address + path, headers=participant) for path in READS}
    assert {path: answer.status_code for path, answer in answers.items()} == {"": 200, **dict.fromkeys(READS[1:], 403)}
    assert [told(answer) for answer in answers.values()] == [[]] * len(READS)
    assert "are opened on" in answers["/sample"].json()["detail"]
    assert "Film" not in "".join(answer.text for answer in answers.values())


def test_the_phase_and_the_dates_are_told_but_not_how_labels_are_spread(
    client: TestClient, participant: Headers, test_set: TestSet
) -> None:
    found = client.get(test_set(-1, 2), headers=participant).json()
    assert (found["phase"], found["examples"]) == ("test-unlabelled", 3)
    # The bytes of all lines, less those of the inputs, are those of the labels.
    assert (found["labels"], found["tags"], found["size"]) == ({}, {}, 0)
    (listed,) = client.get("/datasets", headers=participant).json()
    assert listed == found


def test_while_it_is_unlabelled_inputs_are_handed_out_numbered_and_nothing_else(
    client: TestClient, participant: Headers, test_set: TestSet
) -> None:
    address = test_set(-1, 2)
    answers = {path: client.get(address + path, headers=participant) for path in READS}
    assert [told(answer) for answer in answers.values()] == [[]] * len(READS)
    lines = [json.loads(line) for line in answers["/inputs"].text.splitlines()]
    assert lines == [{"id": str(number), "statement": f"Film number {number}."} for number in range(3)]
    # Perturbations leave the answers of a question alone, and would so tell them.
    assert answers["/perturbations/robustness"].status_code == 403


def test_once_released_the_labels_are_open(client: TestClient, participant: Headers, test_set: TestSet) -> None:
    address = test_set(-2, -1)
    sample = client.get(f"{address}/sample", headers=participant).json()
    assert [example["label"] for example in sample] == ["positive", "negative", "negative"]
    assert client.get(address, headers=participant).json()["labels"] == {"positive": 1, "negative": 2}


def test_inputs_are_for_the_signed_in(client: TestClient, as_caller: Callable[..., Headers], test_set: TestSet) -> None:
    nobody = as_caller("", Role.ANONYMOUS)
    assert client.get(f"{test_set(-1, 2)}/inputs", headers=nobody).status_code == 401


def test_the_owner_sees_everything_and_moves_the_dates(
    client: TestClient, owner: Headers, participant: Headers, test_set: TestSet
) -> None:
    address = test_set(1, 2)
    assert client.get(f"{address}/sample", headers=owner).status_code == 200
    assert client.patch(address, json={"unlabelled_from": day(-1)}, headers=participant).status_code == 403
    assert client.patch(address, json={"unlabelled_from": day(-1)}, headers=owner).json()["phase"] == "test-unlabelled"
    backwards = client.patch(address, json={"released_from": day(-2)}, headers=owner)
    assert backwards.status_code == 422
    assert "labels cannot be released before the inputs are open" in backwards.json()["detail"]


def test_a_mended_version_has_the_dates_of_the_one_before(
    client: TestClient, owner: Headers, participant: Headers, test_set: TestSet
) -> None:
    test_set(1, 2)
    mended = client.post("/datasets", params=WORDS, content=FILE.replace(b"Film", b"Movie"), headers=owner).json()
    assert mended["version"] == 2
    assert client.get(f"/datasets/{mended['id']}/sample", headers=participant).status_code == 403


def test_a_set_that_models_were_scored_on_cannot_be_dated_any_more(
    client: TestClient, owner: Headers, database: Database
) -> None:
    found = client.post("/datasets", params=WORDS, content=FILE, headers=owner).json()
    with database.begin() as db:
        digest = db.get_one(Dataset, found["id"]).digest
        cell = {"model_digest": "m", "dataset_digest": digest, "metric": "accuracy", "metric_version": "1"}
        db.add(Score(**cell, value=1.0, n=1, unit="%"))
    answer = client.patch(f"/datasets/{found['id']}", json={"released_from": day(2)}, headers=owner)
    assert (answer.status_code, answer.json()["error"]) == (409, "Conflict")


def test_the_same_examples_under_another_name_are_no_way_around_the_dates(
    client: TestClient, owner: Headers, test_set: TestSet
) -> None:
    test_set(-1, 2)
    twin = client.post("/datasets", params=WORDS | {"name": "twin"}, content=FILE, headers=owner)
    assert twin.status_code == 409
    assert "These very examples are there as ami, with other dates" in twin.json()["detail"]


def test_examples_that_models_were_scored_on_cannot_wait_under_another_name(
    client: TestClient, owner: Headers, database: Database
) -> None:
    digest = client.post("/datasets", params=WORDS, content=FILE, headers=owner).json()["digest"]
    with database.begin() as db:
        cell = {"model_digest": "m", "dataset_digest": digest, "metric": "accuracy", "metric_version": "1"}
        db.add(Score(**cell, value=1.0, n=1, unit="%"))
    dated = WORDS | {"name": "twin", "released_from": day(2)}
    twin = client.post("/datasets", params=dated, content=FILE, headers=owner)
    assert (twin.status_code, twin.json()["error"]) == (409, "Conflict")


def test_a_twin_cannot_be_released_before_the_other(client: TestClient, owner: Headers, test_set: TestSet) -> None:
    address = test_set(-1, 2)
    found = client.get(address, headers=owner).json()
    dates = {name: found[name] for name in ("unlabelled_from", "released_from")}
    twin = client.post("/datasets", params=WORDS | dates | {"name": "twin"}, content=FILE, headers=owner)
    assert twin.status_code == 201, twin.text
    earlier = client.patch(f"/datasets/{twin.json()['id']}", json={"released_from": day(0)}, headers=owner)
    assert (earlier.status_code, earlier.json()["error"]) == (409, "Conflict")


def test_dates_are_moved_but_not_taken_away(client: TestClient, owner: Headers, test_set: TestSet) -> None:
    nothing = {"unlabelled_from": None, "released_from": None}
    answer = client.patch(test_set(-1, 2), json=nothing, headers=owner)
    assert answer.status_code == 422
    assert "to release its labels now, set released_from to this moment" in answer.json()["detail"]
