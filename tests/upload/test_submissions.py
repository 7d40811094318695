"""Submissions: versions, quotas, who sees what, and what is refused."""

import io
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text

from dynaboard.database import Database
from dynaboard.errors import Invalid
from dynaboard.identity import Role
from dynaboard.storage import Storage
from dynaboard.tables import Publication, Submission
from tests.upload.conftest import User, make_archive

PREDICTIONS = b"name: tiny\ntask: nli\ncard: {summary: small, licence: MIT}\n"
TODAY_SPENT = "Today's 3 submissions for nli are used up; the count starts anew at {} 00:00 UTC."


def set_columns(database: Database, submission_id: str, **columns: Any) -> None:
    """Puts a submission where the evaluator would have brought it."""
    with database.begin() as db:
        for column, value in columns.items():
            setattr(db.get_one(Submission, submission_id), column, value)


def announced(user: User, **more: Any) -> str:
    """The id of a new submission of one byte."""
    return str(user.announce(1, **more).json()["id"])


# --- versions ------------------------------------------------------------------------------------------------------


def test_a_second_archive_of_the_same_name_is_the_next_version(ada: User) -> None:
    first, second = (ada.submit(make_archive(weights=size)) for size in (32, 64))

    assert (first["version"], second["version"]) == (1, 2)
    assert first["model_id"] == second["model_id"]
    model = ada.get(f"models/{first['model_id']}").json()
    assert [(version["version"], version["digest"]) for version in model["versions"]] == [
        (2, second["digest"]),
        (1, first["digest"]),
    ]


def test_another_task_or_owner_makes_another_model(ada: User, bob: User) -> None:
    answers = [ada.announce(1), ada.announce(1, task="qa"), ada.announce(1, name="other"), bob.announce(1)]

    assert len({answer.json()["model_id"] for answer in answers}) == 4
    assert {answer.json()["version"] for answer in answers} == {1}


def test_versions_announced_at_the_same_time_get_different_numbers(user: Callable[..., User]) -> None:
    root = user("root", Role.ADMIN)
    with ThreadPoolExecutor(8) as threads:
        versions = [answer.json()["version"] for answer in threads.map(lambda _: root.announce(1), range(8))]

    assert sorted(versions) == list(range(1, 9))


# --- quota ---------------------------------------------------------------------------------------------------------


def test_the_quota_is_told_with_the_time_it_starts_anew(ada: User) -> None:
    for _ in range(3):
        assert ada.announce(1).status_code == 201

    refused = ada.announce(1)

    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date()
    assert (refused.status_code, refused.json()["error"]) == (429, "QuotaExceeded")
    assert refused.json()["detail"] == TODAY_SPENT.format(tomorrow)


def test_the_quota_is_per_user_and_task(ada: User, bob: User) -> None:
    for _ in range(3):
        ada.announce(1)

    assert ada.announce(1, task="qa").status_code == 201
    assert bob.announce(1).status_code == 201


def test_announcements_at_the_same_time_do_not_exceed_the_quota(ada: User) -> None:
    with ThreadPoolExecutor(8) as threads:
        codes = [answer.status_code for answer in threads.map(lambda _: ada.announce(1), range(8))]

    assert sorted(codes) == [201] * 3 + [429] * 5


STARTED = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("columns", "counts"),
    [
        ({"status": "failed", "failure": "platform", "started_at": STARTED}, False),
        ({"status": "failed", "failure": "model", "started_at": STARTED}, True),
        ({"status": "failed", "failure": "model"}, False),
        ({"status": "cancelled"}, False),
        ({"status": "cancelled", "started_at": STARTED}, True),
        ({"status": "finished", "started_at": STARTED}, True),
        ({"created_at": datetime.now(UTC) - timedelta(days=1)}, False),
    ],
    ids=["platform failed", "model broke", "refused", "cancelled unrun", "cancelled running", "finished", "yesterday"],
)
def test_what_counts_towards_the_quota(ada: User, database: Database, columns: dict[str, Any], counts: bool) -> None:
    submissions = [announced(ada) for _ in range(3)]
    set_columns(database, submissions[0], **columns)

    assert ada.announce(1).status_code == (429 if counts else 201)


def test_administrators_have_no_quota(user: Callable[..., User]) -> None:
    root = user("root", Role.ADMIN)

    assert [root.announce(1).status_code for _ in range(5)] == [201] * 5


# --- what is refused before a byte is sent ---------------------------------------------------------------------------


def test_an_archive_larger_than_allowed_is_refused_at_once(ada: User) -> None:
    answer = ada.announce(11 * 1024**2)

    assert (answer.status_code, answer.json()["detail"]) == (
        413,
        "The archive has 0.01 GiB, at most 0.01 GiB are allowed; leave files out.",
    )


@pytest.mark.parametrize("wrong", [{"task": "chess"}, {"name": "../evil"}, {"size": 0}, {"colour": "red"}])
def test_a_wrong_announcement_is_refused(ada: User, wrong: dict[str, Any]) -> None:
    assert ada.http.post("submissions", json={"task": "nli", "name": "a", "size": 1} | wrong).status_code == 422


def test_readers_do_not_submit(user: Callable[..., User]) -> None:
    assert user("eve", Role.READER).announce(1).status_code == 403
    assert user("", Role.ANONYMOUS).announce(1).status_code == 401


# --- archives that are refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("archive", "sentence"),
    [
        (make_archive(task="qa"), "dynaboard.yaml says task qa, but it was submitted to nli."),
        (
            make_archive(files={"../evil.py": b"x"}),
            "The archive's entry '../evil.py' leads out of the archive with '..'; "
            "make the archive with `dynaboard package`.",
        ),
        (
            b"not a zip",
            "This is not a zip archive, or something was added after its end; "
            "make the archive with `dynaboard package`.",
        ),
        (
            make_archive(files={"handler.py": b"class Wrong: ..."}),
            "handler.py has no class 'Handler'; write it, or correct `handler` in dynaboard.yaml.",
        ),
    ],
    ids=["task", "zip-slip", "no zip", "handler"],
)
def test_a_refused_archive_fails_with_a_sentence_and_leaves_nothing(
    ada: User, storage: Storage, database: Database, archive: bytes, sentence: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        ada.submit(archive)

    submission = ada.get("submissions").json()[0]
    assert refusal.value.detail == sentence
    assert (submission["status"], submission["failure"], submission["reason"]) == ("failed", "model", sentence)
    assert (submission["digest"], storage.keys("archives/")) == (None, [])
    with database.begin() as db:
        assert db.scalar(text("SELECT count(*) FROM procrastinate_jobs")) == 0


def test_completing_a_refused_submission_again_tells_the_same_sentence(ada: User) -> None:
    with pytest.raises(Invalid):
        ada.submit(b"not a zip")
    submission_id = ada.get("submissions").json()[0]["id"]

    again = ada.complete(submission_id, b"not a zip")

    assert again.status_code == 422
    assert again.json()["detail"].startswith("This is not a zip archive")


def test_predictions_alone_are_taken_and_marked_unverified(ada: User) -> None:
    archive = make_archive(files={"dynaboard.yaml": PREDICTIONS, "predictions/snli-test.jsonl": b"{}"})
    with pytest.raises(Invalid, match=r"'handler.py' has no place in a prediction-only submission"):
        ada.submit(archive)

    submission = ada.submit(predictions_only())

    assert (submission["kind"], submission["verified"], submission["status"]) == ("predictions", False, "submitted")


def test_a_ready_made_mar_is_taken(ada: User) -> None:
    manifest = b'{"model": {"handler": "handler.py"}}'

    assert ada.submit(make_archive(files={"MAR-INF/MANIFEST.json": manifest}))["kind"] == "mar"


def predictions_only() -> bytes:
    """An archive of predictions, without a handler."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        target.writestr("dynaboard.yaml", PREDICTIONS)
        target.writestr("predictions/snli-test.jsonl", '{"id": "1", "label": "neutral"}\n')
    return file.getvalue()


# --- who sees what -------------------------------------------------------------------------------------------------


def test_an_unpublished_model_exists_for_its_owner_and_administrators_only(
    ada: User, bob: User, user: Callable[..., User]
) -> None:
    created = ada.announce(1).json()
    people = {"ada": ada, "bob": bob, "root": user("root", Role.ADMIN), "nobody": user("", Role.ANONYMOUS)}

    for path in (f"models/{created['model_id']}", f"submissions/{created['id']}"):
        codes = {name: person.get(path).status_code for name, person in people.items()}
        assert codes == {"ada": 200, "bob": 404, "root": 200, "nobody": 404}
    listed = {name: len(person.get("models").json()) for name, person in people.items()}
    assert listed == {"ada": 1, "bob": 0, "root": 1, "nobody": 0}


def test_a_published_model_is_everybodys_with_its_finished_versions(
    ada: User, user: Callable[..., User], database: Database
) -> None:
    first = ada.submit(make_archive(), publish=True)
    ada.submit(make_archive(weights=64))
    set_columns(database, first["id"], status="finished")

    model = user("", Role.ANONYMOUS).get(f"models/{first['model_id']}").json()

    assert (model["owner"], model["published"], model["card"]["licence"]) == ("ada", True, "MIT")
    assert [version["version"] for version in model["versions"]] == [1]


def test_an_anonymous_models_owner_is_hidden_everywhere_from_others(
    ada: User, bob: User, user: Callable[..., User], database: Database
) -> None:
    submission = ada.submit(make_archive(), publish=True, anonymous=True)
    set_columns(database, submission["id"], status="finished")
    paths = ["models", f"models/{submission['model_id']}", f"submissions/{submission['id']}"]

    for person in (bob, user("", Role.ANONYMOUS), user("tom", Role.TASK_OWNER)):
        assert not any('"ada"' in person.get(path).text for path in paths)
    for person in (ada, user("root", Role.ADMIN)):
        assert all('"ada"' in person.get(path).text for path in paths)


def test_the_reason_of_a_failure_is_for_its_owner(ada: User, bob: User, database: Database) -> None:
    submission_id = announced(ada, publish=True)
    set_columns(database, submission_id, status="failed", reason="line 3 of secret.py")

    assert ada.get(f"submissions/{submission_id}").json()["reason"] == "line 3 of secret.py"
    assert bob.get(f"submissions/{submission_id}").json()["reason"] is None


def test_the_owner_publishes_withdraws_and_hides_a_model(ada: User, bob: User) -> None:
    model_id = ada.announce(1).json()["model_id"]

    published = ada.http.patch(f"models/{model_id}", json={"published": True, "anonymous": True}).json()
    seen = bob.get(f"models/{model_id}").json()
    withdrawn = ada.http.patch(f"models/{model_id}", json={"published": False}).json()

    assert (published["published"], published["anonymous"], seen["owner"]) == (True, True, None)
    assert (withdrawn["published"], withdrawn["anonymous"]) == (False, True)
    assert bob.get(f"models/{model_id}").status_code == 404


def test_what_the_owner_decided_is_kept_with_its_time(ada: User, database: Database) -> None:
    model_id = ada.announce(1).json()["model_id"]
    for change in ({"published": True}, {"published": True}, {"anonymous": True}, {"published": False}):
        ada.http.patch(f"models/{model_id}", json=change)
    ada.announce(1)

    with database.begin() as db:
        records = db.scalars(select(Publication).where(Publication.model_id == model_id).order_by(Publication.id)).all()
    decided = [(False, False), (True, False), (True, True), (False, True)]
    assert [(record.published, record.anonymous) for record in records] == decided
    assert [record.created_at for record in records] == sorted(record.created_at for record in records)


def test_nobody_changes_anothers_model(ada: User, bob: User) -> None:
    hidden, shown = (ada.announce(1, name=name).json()["model_id"] for name in ("hidden", "shown"))
    ada.http.patch(f"models/{shown}", json={"published": True})

    assert bob.http.patch(f"models/{hidden}", json={"published": True}).status_code == 404
    assert bob.http.patch(f"models/{shown}", json={"published": False}).status_code == 403


def test_a_new_version_does_not_undo_what_the_owner_chose(ada: User) -> None:
    model_id = ada.announce(1, publish=True, anonymous=True).json()["model_id"]

    ada.announce(1)

    model = ada.get(f"models/{model_id}").json()
    assert (model["published"], model["anonymous"]) == (True, True)


def test_everybody_lists_their_own_and_administrators_all(ada: User, bob: User, user: Callable[..., User]) -> None:
    ada.announce(1)
    bob.announce(1, task="qa")
    root = user("root", Role.ADMIN)

    assert [item["owner"] for item in ada.get("submissions").json()] == ["ada"]
    assert [item["owner"] for item in root.get("submissions?everybody=true").json()] == ["bob", "ada"]
    assert [item["owner"] for item in root.get("submissions?everybody=true&task=nli").json()] == ["ada"]
    assert root.get("submissions").json() == []
    assert ada.get("submissions?everybody=true").status_code == 403


def test_task_owners_list_everybodys_of_published_models_without_the_reasons(
    ada: User, bob: User, user: Callable[..., User], database: Database
) -> None:
    shown = ada.announce(1, publish=True).json()
    set_columns(database, shown["id"], status="failed", reason="no weights here")
    bob.announce(1)
    owner = user("olga", Role.TASK_OWNER)
    own = owner.announce(1).json()

    listed = owner.get("submissions?everybody=true").json()

    assert [item["id"] for item in listed] == [own["id"], shown["id"]]
    assert (listed[1]["owner"], listed[1]["reason"]) == ("ada", None)


def test_submissions_are_found_by_where_they_are(ada: User, database: Database) -> None:
    failed = ada.announce(1, name="a").json()["id"]
    ada.announce(1, name="b")
    set_columns(database, failed, status="failed")

    assert [item["id"] for item in ada.get("submissions?status=failed").json()] == [failed]
    assert [item["name"] for item in ada.get("submissions?status=submitting&limit=1").json()] == ["b"]
    assert ada.get("submissions?status=lost").status_code == 422


def test_lists_are_cut_into_pages(ada: User) -> None:
    for name in ("a", "b", "c"):
        ada.announce(1, name=name)

    assert [item["name"] for item in ada.get("models?limit=1&offset=1").json()] == ["b"]
    assert [item["name"] for item in ada.get("models?mine=true&task=nli&limit=2").json()] == ["c", "b"]
    assert ada.get("models?task=Chess").status_code == 422


def test_a_waiting_submission_knows_its_place(ada: User, bob: User) -> None:
    first, second = ada.submit(make_archive()), bob.submit(make_archive())

    places = [
        person.get(f"submissions/{submission['id']}").json()["queue_position"]
        for person, submission in ((ada, first), (bob, second))
    ]

    assert places == [1, 2]
