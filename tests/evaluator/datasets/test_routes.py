"""Datasets over HTTP, on a real PostgreSQL and a real S3 server."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx import Response

from dynaboard.app import service_app
from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.storage import Storage, dataset_key
from dynaboard.tables import DatasetChange
from services.evaluator.datasets.canonical import read_examples
from services.evaluator.datasets.routes import make_router
from services.evaluator.settings import EvaluatorSettings

Headers = dict[str, str]
ROWS = [
    {"id": f"secret-{label}", "statement": f"A {label} film.", "label": label, "tags": ["films"]}
    for label in ("positive", "negative", "neutral")
]
FILE = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)
OTHER_FILE = FILE.replace(b"film.", b"movie.")
WORDS = {
    "task": "sentiment",
    "name": "films",
    "role": "standard",
    "licence": "CC0-1.0",
    "citation": "Lovelace 1843. Notes.",
    "format": "jsonl",
}


@pytest.fixture
def client(platform: dict[str, Any], database: Database, storage: Storage) -> Iterator[TestClient]:
    settings = EvaluatorSettings(**platform, max_dataset_bytes=10_000, max_dataset_examples=50)
    app = service_app("evaluator", settings, database)
    app.include_router(make_router(database, storage, settings))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def owner(as_caller: Callable[..., Headers]) -> Headers:
    return as_caller("olga", Role.TASK_OWNER)


@pytest.fixture
def reader(as_caller: Callable[..., Headers]) -> Headers:
    return as_caller("rita", Role.READER)


@pytest.fixture
def add(client: TestClient, owner: Headers) -> Callable[..., Response]:
    """Upload a file under WORDS, with changes; a word set to None is left out."""

    def post(file: bytes = FILE, **change: str | None) -> Response:
        words = {key: value for key, value in {**WORDS, **change}.items() if value is not None}
        return client.post("/datasets", params=words, content=file, headers=owner)

    return post


Add = Callable[..., Response]


def test_an_upload_is_stored_under_the_digest_of_its_canonical_lines(add: Add, storage: Storage) -> None:
    answer = add(gzip.compress(FILE))
    dataset = answer.json()
    lines = gzip.decompress(storage.get(dataset_key(dataset["digest"])))
    assert answer.status_code == 201
    assert hashlib.sha256(lines).hexdigest() == dataset["digest"]
    assert (dataset["version"], dataset["active"], dataset["examples"], dataset["size"]) == (1, True, 3, len(lines))
    assert dataset["labels"] == {"positive": 1, "negative": 1, "neutral": 1}
    assert dataset["tags"] == {"films": 3}


def test_what_was_stored_reads_back_as_the_examples_of_the_file(add: Add, storage: Storage) -> None:
    digest = add().json()["digest"]
    examples = list(read_examples(storage.open(dataset_key(digest))))
    assert examples == ROWS


def test_the_same_examples_again_are_the_same_version(add: Add) -> None:
    first, again = add(), add(gzip.compress(FILE))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()


def test_changed_examples_are_a_new_version_and_the_old_one_stays(
    add: Add, client: TestClient, reader: Headers, storage: Storage
) -> None:
    old, new = add().json(), add(OTHER_FILE).json()
    assert (new["version"], new["active"]) == (2, True)
    kept = client.get(f"/datasets/{old['id']}", headers=reader).json()
    assert kept == {**old, "active": False}
    assert storage.exists(dataset_key(old["digest"]))


def test_a_list_shows_the_newest_versions_and_all_of_them_when_asked(
    add: Add, client: TestClient, reader: Headers
) -> None:
    add(), add(OTHER_FILE), add(name="other")
    newest = client.get("/datasets", params={"task": "sentiment"}, headers=reader).json()
    every = client.get("/datasets", params={"all_versions": "true"}, headers=reader).json()
    assert [(dataset["name"], dataset["version"]) for dataset in newest] == [("films", 2), ("other", 1)]
    assert [(dataset["name"], dataset["version"]) for dataset in every] == [("films", 2), ("films", 1), ("other", 1)]
    assert client.get("/datasets", params={"task": "nli"}, headers=reader).json() == []


def test_uploads_of_one_name_at_once_get_versions_of_their_own(add: Add) -> None:
    files = [FILE.replace(b"film.", f"film {number}.".encode()) for number in range(4)]
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(add, files))
    assert sorted(answer.json()["version"] for answer in answers) == [1, 2, 3, 4]


def test_the_same_examples_under_another_role_are_refused_not_ignored(add: Add) -> None:
    add()
    answer = add(role="scoring")
    assert answer.status_code == 409
    assert "another role" in answer.json()["detail"]


def test_the_catalogue_gives_every_word_that_is_left_out(add: Add) -> None:
    row = {"uid": "a", "context": "c", "hypothesis": "h", "label": "e"}
    nothing = dict.fromkeys(WORDS)
    dataset = add(json.dumps(row).encode(), **nothing, catalogue="anli-r1-test").json()
    assert (dataset["task"], dataset["name"], dataset["role"]) == ("nli", "anli-r1-test", "scoring")
    assert dataset["licence"] == "CC BY-NC 4.0"
    assert dataset["labels"] == {"entailed": 1}


def test_what_is_stated_goes_before_the_catalogue(add: Add) -> None:
    row = {"id": "a", "context": "c", "hypothesis": "h", "label": "not-entailed"}
    mapping = json.dumps({"labels": {"not-entailed": ["neutral", "contradictory"]}})
    words = {**dict.fromkeys(WORDS), "catalogue": "hans", "name": "hans-small", "format": "jsonl", "mapping": mapping}
    dataset = add(json.dumps(row).encode(), **words).json()
    assert (dataset["name"], dataset["role"], dataset["labels"]) == (
        "hans-small",
        "standard",
        {"neutral or contradictory": 1},
    )


@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"licence": None}, 422, "A dataset needs a licence"),
        ({"citation": None}, 422, "A dataset needs a citation"),
        ({"format": None}, 422, "A dataset needs a format"),
        ({"format": "xlsx"}, 422, "There is no format 'xlsx'; the formats are csv"),
        ({"name": "Films!"}, 422, "name: "),
        ({"name": "x" * 63}, 422, "name: "),
        ({"task": "chess"}, 404, "There is no task 'chess'; there are nli, qa, sentiment, hate-speech."),
        ({"role": "public"}, 422, "role: "),
        ({"licence": "a\x00b"}, 422, "licence: "),
        ({"colour": "red"}, 422, "colour: "),
        ({"mapping": "{"}, 422, "The mapping is not JSON"),
        ({"mapping": "[]"}, 422, "The mapping must be a JSON object"),
        ({"mapping": '{"labels": 3}'}, 422, "The mapping's labels is not usable"),
        ({"mapping": '{"task": "nli", "id": "uid"}'}, 422, 'line 1: there is no column "uid"'),
        ({"catalogue": "imagenet"}, 404, "The catalogue has no dataset 'imagenet'"),
        ({"catalogue": "hans"}, 422, "The catalogue's hans is a dataset of nli, not of sentiment."),
    ],
)
def test_words_that_do_not_do_are_refused_in_a_sentence(
    add: Add, change: dict[str, str | None], status: int, sentence: str
) -> None:
    answer = add(**change)
    assert answer.status_code == status
    assert answer.json()["detail"].startswith(sentence)


BAD_FILES = {
    "empty": (b"", 422, "the file holds no example"),
    "doubled": (FILE + FILE, 422, "the id 'secret-positive' occurs twice"),
    "cut off": (FILE + b"{", 422, "line 4: not JSON"),
    "binary": (bytes(range(128, 256)), 422, "line 1: not UTF-8"),
    "gzip cut off": (gzip.compress(FILE)[:30], 422, "The file is damaged or cut off"),
    "no zip": (b"PK\x03\x04 no zip", 422, "The zip is damaged"),
    "large": (b" " * 10_001, 413, "The file has more than 10000 bytes"),
    "bomb": (gzip.compress(b" " * 10_001), 413, "The file unpacks to more than 10000 bytes"),
    "many": (
        b"".join(b'{"id":"%d","statement":"x","label":"neutral"}\n' % number for number in range(51)),
        413,
        "The dataset has more than 50 examples",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_does_not_do_is_refused_and_leaves_no_trace(
    add: Add, client: TestClient, owner: Headers, storage: Storage, name: str
) -> None:
    file, status, sentence = BAD_FILES[name]
    answer = add(file)
    assert answer.status_code == status
    assert answer.json()["detail"].startswith(sentence)
    assert client.get("/datasets", headers=owner).json() == []
    assert storage.keys("datasets/") == []


@pytest.mark.parametrize(("role", "status"), [(Role.ANONYMOUS, 401), (Role.READER, 403), (Role.SUBMITTER, 403)])
def test_only_task_owners_add_datasets(
    client: TestClient, as_caller: Callable[..., Headers], role: Role, status: int
) -> None:
    answer = client.post("/datasets", params=WORDS, content=FILE, headers=as_caller("eve", role))
    assert answer.status_code == status


def test_the_sample_of_a_standard_set_shows_labels_but_no_ids(add: Add, client: TestClient, reader: Headers) -> None:
    identifier = add().json()["id"]
    sample = client.get(f"/datasets/{identifier}/sample", params={"limit": 1}, headers=reader).json()
    assert sample == [{"statement": "A positive film.", "label": "positive", "tags": ["films"]}]


@pytest.mark.parametrize("role", ["scoring", "hidden"])
def test_the_sample_of_a_set_that_ranks_or_hides_shows_inputs_alone(
    add: Add, client: TestClient, owner: Headers, role: str
) -> None:
    identifier = add(role=role).json()["id"]
    sample = client.get(f"/datasets/{identifier}/sample", headers=owner)
    assert sample.json()[0] == {"statement": "A positive film."}
    assert len(sample.json()) == 3


def test_a_hidden_dataset_is_there_for_task_owners_only(
    add: Add, client: TestClient, owner: Headers, reader: Headers
) -> None:
    identifier = add(role=None).json()["id"]
    paths = [f"/datasets/{identifier}", f"/datasets/{identifier}/sample"]
    assert [client.get(path, headers=owner).status_code for path in paths] == [200, 200]
    assert [client.get(path, headers=reader).status_code for path in paths] == [404, 404]
    assert client.get("/datasets", headers=reader).json() == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/datasets/" + "0" * 32, 404), ("/datasets/x", 422), ("/datasets/%00", 422), ("/datasets?task=%00", 422)],
)
def test_an_address_that_leads_nowhere_is_answered_politely(
    client: TestClient, reader: Headers, path: str, status: int
) -> None:
    assert client.get(path, headers=reader).status_code == status


def test_the_catalogue_is_listed_with_its_columns(client: TestClient, reader: Headers) -> None:
    entries = client.get("/catalogue", params={"task": "hate-speech"}, headers=reader).json()
    assert [entry["name"] for entry in entries] == [
        "learning-from-the-worst-test",
        "learning-from-the-worst-dev",
        "hatecheck",
        "madlibs77k",
    ]
    assert entries[2]["columns"]["label"] == "label_gold"


def test_an_owner_changes_what_a_dataset_counts_for(
    client: TestClient, owner: Headers, reader: Headers, add: Callable[..., Response]
) -> None:
    address = f"/datasets/{add().json()['id']}"
    assert client.patch(address, json={"role": "scoring"}, headers=owner).json()["role"] == "scoring"
    assert client.get(address, headers=reader).json()["role"] == "scoring"
    assert client.patch(address, json={"role": "hidden"}, headers=owner).status_code == 200
    assert client.get(address, headers=reader).status_code == 404


def test_a_dataset_has_one_active_version_at_most(
    client: TestClient, owner: Headers, add: Callable[..., Response]
) -> None:
    first, second = add().json()["id"], add(OTHER_FILE).json()["id"]
    assert client.patch(f"/datasets/{first}", json={"active": True}, headers=owner).json()["active"]
    listed = client.get("/datasets", params={"all_versions": True}, headers=owner).json()
    assert {found["id"]: found["active"] for found in listed} == {first: True, second: False}
    client.patch(f"/datasets/{first}", json={"active": False}, headers=owner)
    assert client.get("/datasets", headers=owner).json() == []


def test_only_a_task_owner_changes_a_dataset(
    client: TestClient, reader: Headers, as_caller: Callable[..., Headers], add: Callable[..., Response]
) -> None:
    address = f"/datasets/{add().json()['id']}"
    for headers in (reader, as_caller("sue", Role.SUBMITTER)):
        assert client.patch(address, json={"role": "hidden"}, headers=headers).status_code == 403
    missing = client.patch(f"/datasets/{'0' * 32}", json={}, headers=as_caller("olga", Role.TASK_OWNER))
    assert missing.status_code == 404


def test_every_change_of_a_dataset_is_kept(
    client: TestClient, owner: Headers, database: Database, add: Callable[..., Response]
) -> None:
    address = f"/datasets/{add().json()['id']}"
    for role in ("scoring", "scoring", "hidden"):
        client.patch(address, json={"role": role}, headers=owner)
    with database.begin() as db:
        kept = db.query(DatasetChange).order_by(DatasetChange.id).all()
    assert [(change.role, change.created_by) for change in kept] == [
        ("standard", "olga"),
        ("scoring", "olga"),
        ("hidden", "olga"),
    ]
