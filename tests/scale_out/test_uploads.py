"""An archive whose parts arrive at two upload services in turn, and that is resumed at the other."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from dynaboard.archive import object_key
from dynaboard.client.upload import upload_archive
from dynaboard.database import Database
from dynaboard.schemas import PartsView
from dynaboard.storage import Storage
from services.upload.settings import UploadSettings
from tests.upload.conftest import PART, make_archive, serving

Headers = Callable[..., dict[str, str]]
ARCHIVE = make_archive(weights=6 * PART)
PARTS = -(-len(ARCHIVE) // PART)


@pytest.fixture
def two(platform: dict[str, Any], storage: Storage, as_caller: Headers) -> Iterator[list[httpx.Client]]:
    """A client of each of two upload services that share a database and a store."""
    settings = UploadSettings(**platform, part_bytes=PART)
    with ExitStack() as stack:
        urls = [stack.enter_context(serving(settings)) for _ in range(2)]
        yield [
            stack.enter_context(httpx.Client(base_url=url, headers=as_caller("ada"), timeout=30, trust_env=False))
            for url in urls
        ]


def announce(client: httpx.Client) -> str:
    announced = {"task": "nli", "name": "tiny", "size": len(ARCHIVE)}
    return str(client.post("/submissions", json=announced).raise_for_status().json()["id"])


def send(client: httpx.Client, submission_id: str, number: int) -> None:
    part = ARCHIVE[(number - 1) * PART : number * PART]
    headers = {"x-sha256": sha256(part).hexdigest()}
    client.put(f"/submissions/{submission_id}/parts/{number}", content=part, headers=headers).raise_for_status()


def complete(client: httpx.Client, submission_id: str) -> httpx.Response:
    return client.post(f"/submissions/{submission_id}/complete", json={"sha256": sha256(ARCHIVE).hexdigest()})


def test_parts_that_alternate_between_two_services_make_one_archive(two: list[httpx.Client], storage: Storage) -> None:
    submission_id = announce(two[0])
    for number in range(1, PARTS + 1):
        send(two[number % 2], submission_id, number)
    for client in (two[1], two[0]):
        answer = complete(client, submission_id)
        assert (answer.status_code, answer.json()["status"]) == (200, "submitted")
    assert storage.get(object_key(submission_id)) == ARCHIVE


def test_an_upload_is_resumed_at_the_other_service(two: list[httpx.Client], storage: Storage, tmp_path: Path) -> None:
    submission_id = announce(two[0])
    for number in (1, 2, 3):
        send(two[0], submission_id, number)
    there = PartsView.model_validate(two[1].get(f"/submissions/{submission_id}/parts").json())
    assert list(there.received) == [1, 2, 3]

    path = tmp_path / "model.zip"
    path.write_bytes(ARCHIVE)
    assert upload_archive(two[1], submission_id, path).status == "submitted"
    assert storage.get(object_key(submission_id)) == ARCHIVE


def test_both_services_asked_to_complete_at_once_queue_one_evaluation(
    two: list[httpx.Client], database: Database
) -> None:
    submission_id = announce(two[0])
    for number in range(1, PARTS + 1):
        send(two[0], submission_id, number)
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda client: complete(client, submission_id), two))
    assert {answer.status_code for answer in answers} <= {200, 409}
    assert complete(two[1], submission_id).json()["status"] == "submitted"
    with database.begin() as db:
        query = "SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'evaluate'"
        assert db.connection().exec_driver_sql(query).scalar_one() == 1
