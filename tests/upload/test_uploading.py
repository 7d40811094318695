"""An archive in parts: whatever breaks on the way, what arrives is what was sent."""

import socket
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from dynaboard import embedded
from dynaboard.archive import object_key
from dynaboard.client.upload import upload_archive
from dynaboard.database import Database
from dynaboard.errors import Invalid
from dynaboard.storage import Storage
from dynaboard.tables import Submission
from services.upload import completion
from services.upload.dependencies import Context
from services.upload.running_digest import RunningDigests
from services.upload.settings import UploadSettings
from tests.upload.conftest import PART, User, make_archive, serving

ARCHIVE = make_archive(weights=5 * PART)
PARTS = [ARCHIVE[start : start + PART] for start in range(0, len(ARCHIVE), PART)]


def announced(user: User, archive: bytes = ARCHIVE) -> str:
    """The id of a new submission."""
    return str(user.announce(len(archive)).json()["id"])


def test_announcing_tells_how_to_cut_the_archive(ada: User) -> None:
    created = ada.announce(3 * PART + 1)

    assert created.status_code == 201
    assert created.json().keys() == {"id", "model_id", "version", "part_size", "parts"}
    assert (created.json()["version"], created.json()["part_size"], created.json()["parts"]) == (1, PART, 4)


def test_a_whole_archive_is_stored_as_it_was_sent(ada: User, storage: Storage) -> None:
    submission = ada.submit(ARCHIVE)

    assert submission["status"] == "submitted"
    assert submission["digest"] == sha256(ARCHIVE).hexdigest()
    assert storage.get(object_key(submission["id"])) == ARCHIVE


def test_completing_stores_the_manifest_and_queues_one_evaluation(ada: User, database: Database) -> None:
    submission_id = ada.submit(ARCHIVE)["id"]

    with database.begin() as db:
        submission = db.get_one(Submission, submission_id)
        jobs = db.execute(text("SELECT task_name, queue_name, args FROM procrastinate_jobs")).all()
    assert submission.manifest is not None
    assert submission.manifest["card"]["licence"] == "MIT"
    assert (submission.kind, submission.upload_id) == ("model", None)
    assert jobs == [("evaluate", "evaluator", {"submission_id": submission_id})]


def test_completing_twice_gives_the_same_answer_and_one_job(ada: User, database: Database) -> None:
    submission_id = ada.submit(ARCHIVE)["id"]

    again = ada.complete(submission_id, ARCHIVE)

    assert (again.status_code, again.json()["status"]) == (200, "submitted")
    with database.begin() as db:
        assert db.scalar(text("SELECT count(*) FROM procrastinate_jobs")) == 1


def test_the_platform_tells_which_parts_are_there(ada: User) -> None:
    submission_id = announced(ada)
    for number in (1, 2):
        assert ada.put(submission_id, number, PARTS[number - 1]).status_code == 204

    view = ada.get(f"submissions/{submission_id}/parts").json()

    assert view == {"part_size": PART, "parts": len(PARTS), "received": [1, 2], "restarted": False}


def test_an_interrupted_upload_sends_only_what_is_missing(ada: User, tmp_path: Path) -> None:
    submission_id = announced(ada)
    for number in (1, 2, 3):
        ada.put(submission_id, number, PARTS[number - 1])
    path = tmp_path / "model.zip"
    path.write_bytes(ARCHIVE)
    sent: list[str] = []
    ada.http.event_hooks = {"request": [lambda request: sent.append(f"{request.method} {request.url.path}")]}

    submission = upload_archive(ada.http, submission_id, path)

    assert submission.status == "submitted"
    puts = [line for line in sent if line.startswith("PUT")]
    assert sorted(puts) == [f"PUT /submissions/{submission_id}/parts/{number}" for number in range(4, len(PARTS) + 1)]


def test_a_connection_that_breaks_in_mid_part_costs_that_part_only(ada: User, address: str, tmp_path: Path) -> None:
    submission_id = announced(ada)
    ada.put(submission_id, 1, PARTS[0])
    host, port = address.removeprefix("http://").split(":")
    lines = [f"PUT /submissions/{submission_id}/parts/2 HTTP/1.1", f"host: {host}", f"content-length: {PART}"]
    lines += [f"{name}: {value}" for name, value in ada.http.headers.items() if name.startswith("x-dynaboard")]
    with socket.create_connection((host, int(port))) as broken:
        broken.sendall("\r\n".join([*lines, "", ""]).encode() + PARTS[1][:1000])

    assert ada.get(f"submissions/{submission_id}/parts").json()["received"] == [1]
    (tmp_path / "model.zip").write_bytes(ARCHIVE)
    assert upload_archive(ada.http, submission_id, tmp_path / "model.zip").digest == sha256(ARCHIVE).hexdigest()


class Flaky(httpx.BaseTransport):
    """A network that breaks every third request after it has taken half of its body."""

    def __init__(self, real: httpx.BaseTransport) -> None:
        self.real, self.requests = real, 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests += 1
        if self.requests % 3:
            return self.real.handle_request(request)
        if isinstance(request.stream, Iterator):
            next(request.stream)
        raise httpx.ReadError("broken")

    def close(self) -> None:
        self.real.close()


def test_the_client_survives_a_network_that_breaks_every_third_request(
    address: str, as_caller: Callable[..., dict[str, str]], tmp_path: Path, ada: User
) -> None:
    submission_id = announced(ada)
    (tmp_path / "model.zip").write_bytes(ARCHIVE)
    told: list[tuple[int, int]] = []
    flaky = Flaky(httpx.HTTPTransport())

    with httpx.Client(base_url=address, headers=as_caller("ada"), transport=flaky) as http:
        submission = upload_archive(http, submission_id, tmp_path / "model.zip", lambda *step: told.append(step))

    assert submission.digest == sha256(ARCHIVE).hexdigest()
    assert told[-1] == (len(ARCHIVE), len(ARCHIVE))


def test_an_upload_goes_on_after_the_service_was_replaced(
    settings: UploadSettings, as_caller: Callable[..., dict[str, str]], database: Database, tmp_path: Path
) -> None:
    (tmp_path / "model.zip").write_bytes(ARCHIVE)
    with serving(settings) as first, httpx.Client(base_url=first, headers=as_caller("ada")) as http:
        ada = User(http, tmp_path)
        submission_id = announced(ada)
        ada.put(submission_id, 1, PARTS[0])
        ada.put(submission_id, 2, PARTS[1])

    with serving(settings) as second, httpx.Client(base_url=second, headers=as_caller("ada")) as http:
        submission = upload_archive(http, submission_id, tmp_path / "model.zip")

    assert submission.digest == sha256(ARCHIVE).hexdigest()


def test_when_the_object_store_lost_the_parts_the_client_sends_all_again(
    ada: User, storage: Storage, database: Database, tmp_path: Path
) -> None:
    submission_id = announced(ada)
    ada.put(submission_id, 1, PARTS[0])
    with database.begin() as db:
        upload_id = db.get_one(Submission, submission_id).upload_id
    assert upload_id is not None
    storage.client.abort_multipart_upload(Bucket=storage.bucket, Key=object_key(submission_id), UploadId=upload_id)

    lost = ada.put(submission_id, 2, PARTS[1])
    view = ada.get(f"submissions/{submission_id}/parts").json()

    assert (lost.status_code, lost.json()["error"]) == (409, "Conflict")
    assert (view["received"], view["restarted"]) == ([], True)
    (tmp_path / "model.zip").write_bytes(ARCHIVE)
    assert upload_archive(ada.http, submission_id, tmp_path / "model.zip").digest == sha256(ARCHIVE).hexdigest()


def test_a_part_sent_twice_does_no_harm(ada: User) -> None:
    submission_id = announced(ada)
    for number in (1, 2, 2, *range(3, len(PARTS) + 1)):
        assert ada.put(submission_id, number, PARTS[number - 1]).status_code == 204

    assert ada.complete(submission_id, ARCHIVE).json()["digest"] == sha256(ARCHIVE).hexdigest()


def test_an_archive_that_came_through_one_replica_is_not_read_again(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(completion, "_digest", lambda *asked: read.append(asked))

    assert ada.submit(ARCHIVE)["digest"] == sha256(ARCHIVE).hexdigest()
    assert not read


def test_an_archive_whose_parts_may_have_come_through_another_replica_is_read_again(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Submission] = []

    def noted(context: Context, submission: Submission) -> str:
        read.append(submission)
        return found(context, submission)

    found = completion._digest
    monkeypatch.setattr(completion, "_digest", noted)
    monkeypatch.setattr(RunningDigests, "stored", lambda *_: None)

    assert ada.submit(ARCHIVE)["digest"] == sha256(ARCHIVE).hexdigest()
    assert len(read) == 1


@pytest.mark.parametrize("claimed", [{"x-sha256": sha256(b"other").hexdigest()}, {"x-crc32": "00000000"}])
def test_a_damaged_part_is_refused_and_not_stored(ada: User, claimed: dict[str, str]) -> None:
    submission_id = announced(ada)

    answer = ada.put(submission_id, 1, PARTS[0], **claimed)

    assert (answer.status_code, answer.json()["detail"]) == (422, "Part 1 was damaged on its way; send it again.")
    assert ada.get(f"submissions/{submission_id}/parts").json()["received"] == []


@pytest.mark.parametrize(
    ("number", "length", "sentence"),
    [
        (1, PART - 1, f"Part 1 must have {PART} bytes, and say so in Content-Length."),
        (1, PART + 1, f"Part 1 must have {PART} bytes, and say so in Content-Length."),
        (len(PARTS) + 1, 1, f"There is no part {len(PARTS) + 1}; the announced size makes {len(PARTS)} parts."),
    ],
)
def test_a_part_of_the_wrong_size_or_number_is_refused(ada: User, number: int, length: int, sentence: str) -> None:
    answer = ada.put(announced(ada), number, bytes(length))

    assert (answer.status_code, answer.json()["detail"]) == (422, sentence)


def test_completing_too_early_names_what_is_missing(ada: User) -> None:
    submission_id = announced(ada)
    ada.put(submission_id, 1, PARTS[0])

    answer = ada.complete(submission_id, ARCHIVE)

    assert answer.status_code == 409
    assert answer.json()["detail"] == f"Part 2 and {len(PARTS) - 2} others are missing; send them, then complete."
    assert ada.get(f"submissions/{submission_id}").json()["status"] == "submitting"


def test_an_archive_that_changed_while_it_was_sent_is_refused(ada: User, storage: Storage) -> None:
    submission_id = announced(ada)
    for number, part in enumerate(PARTS, 1):
        ada.put(submission_id, number, part)

    answer = ada.complete(submission_id, b"another file")

    assert (answer.status_code, answer.json()["detail"]) == (
        422,
        "The archive's sha256 is not the one announced: it changed while it was sent; submit it again.",
    )
    assert storage.keys("archives/") == []


def test_the_sha256_given_at_the_start_binds(ada: User) -> None:
    with pytest.raises(Invalid, match="sha256 is not the one announced"):
        ada.submit(ARCHIVE, sha256=sha256(b"another file").hexdigest())


def test_nobody_adds_parts_to_anothers_submission(ada: User, bob: User) -> None:
    submission_id = announced(ada)

    assert bob.put(submission_id, 1, PARTS[0]).status_code == 404
    assert bob.get(f"submissions/{submission_id}/parts").status_code == 404
    assert bob.complete(submission_id, ARCHIVE).status_code == 404


def test_a_finished_submission_takes_no_more_parts(ada: User) -> None:
    submission_id = ada.submit(ARCHIVE)["id"]

    answer = ada.put(submission_id, 1, PARTS[0])

    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "This submission is submitted; it takes no more parts.",
    )


def test_the_owner_gets_the_archive_back(ada: User, bob: User) -> None:
    submission_id = ada.submit(ARCHIVE, publish=True)["id"]

    mine, theirs = (who.get(f"submissions/{submission_id}/archive") for who in (ada, bob))

    assert mine.content == ARCHIVE
    assert mine.headers["content-disposition"] == 'attachment; filename="tiny-1.zip"'
    assert theirs.status_code == 403


def test_an_unfinished_upload_has_no_archive_to_fetch(ada: User) -> None:
    assert ada.get(f"submissions/{announced(ada)}/archive").status_code == 404


def test_a_client_that_stalls_in_mid_part_is_told_so_and_frees_its_buffer(
    settings: UploadSettings, as_caller: Callable[..., dict[str, str]], database: Database, tmp_path: Path
) -> None:
    hasty = settings.model_copy(update={"part_seconds": 0.2, "parts_in_flight": 1})
    with serving(hasty) as url, httpx.Client(base_url=url, headers=as_caller("ada")) as http:
        ada, moment = User(http, tmp_path), threading.Event()
        submission_id = announced(ada)

        def stalling() -> Iterator[bytes]:
            yield PARTS[0][:1000]
            moment.wait(1)
            yield PARTS[0][1000:]

        headers = {"content-length": str(PART)}
        stalled = http.put(f"submissions/{submission_id}/parts/1", content=stalling(), headers=headers)
        again = ada.put(submission_id, 1, PARTS[0])

    assert (stalled.status_code, stalled.json()["detail"]) == (
        422,
        "The part did not arrive whole, or not within 0.2 s; send it again.",
    )
    assert again.status_code == 204


def test_without_the_object_store_nothing_is_lost_but_time(
    settings: UploadSettings, as_caller: Callable[..., dict[str, str]], database: Database, tmp_path: Path
) -> None:
    with serving(settings) as url, httpx.Client(base_url=url, headers=as_caller("ada")) as http:
        submission_id = announced(User(http, tmp_path))
    elsewhere = settings.model_copy(update={"s3_url": f"http://127.0.0.1:{embedded.free_port()}"})

    with serving(elsewhere) as url, httpx.Client(base_url=url, headers=as_caller("ada"), timeout=60) as http:
        answer = User(http, tmp_path).put(submission_id, 1, PARTS[0])

    assert (answer.status_code, answer.json()["error"]) == (503, "Unavailable")


def test_abandoned_and_cancelled_uploads_are_cleared_away(
    ada: User, database: Database, storage: Storage, wait_until: Callable[[Callable[[], Any]], None]
) -> None:
    abandoned, cancelled = announced(ada), announced(ada)
    ada.put(abandoned, 1, PARTS[0])
    with database.begin() as db:
        old = text("UPDATE submissions SET created_at = now() - interval '4 days' WHERE id = :id")
        db.execute(old, {"id": abandoned})
        db.execute(text("UPDATE submissions SET status = 'cancelled' WHERE id = :id"), {"id": cancelled})

    announced(ada)

    def cleared() -> bool:
        with database.begin() as db:
            return all(db.get_one(Submission, one).upload_id is None for one in (abandoned, cancelled))

    wait_until(cleared)
    assert ada.get(f"submissions/{abandoned}").json()["status"] == "cancelled"
    assert len(storage.client.list_multipart_uploads(Bucket=storage.bucket).get("Uploads", [])) == 1
