"""Every change leaves a row that says who and how it ended."""

from collections.abc import Callable

import httpx
from sqlalchemy import select

from dynaboard.database import Database
from dynaboard.tables import AuditEntry

Headers = dict[str, str]


def rows(database: Database) -> list[tuple[str, str, int]]:
    with database.begin() as db:
        entries = db.scalars(select(AuditEntry).order_by(AuditEntry.id))
        return [(entry.user_name, entry.action, entry.status) for entry in entries]


def test_a_change_leaves_a_row_before_it_is_answered(
    gateway: Callable[..., httpx.Client], admin: Headers, database: Database
) -> None:
    http = gateway()
    http.post("/users", headers=admin, json={"name": "ada"})
    assert rows(database) == [("admin", "POST /api/v1/users", 201)]


def test_a_refused_change_leaves_a_row_too(
    gateway: Callable[..., httpx.Client], admin: Headers, database: Database
) -> None:
    http = gateway()
    key = http.post("/users", headers=admin, json={"name": "ada", "role": "reader"}).json()["key"]
    http.post("/users", headers={"authorization": f"Bearer {key}"}, json={"name": "eve"})
    assert rows(database)[1:] == [("ada", "POST /api/v1/users", 403)]


def test_reading_leaves_none(gateway: Callable[..., httpx.Client], admin: Headers, database: Database) -> None:
    gateway().get("/users", headers=admin)
    assert rows(database) == []


def test_strangers_cannot_fill_the_log(gateway: Callable[..., httpx.Client], database: Database) -> None:
    http = gateway()
    http.post("/users", json={"name": "ada"})
    http.post("/users", json={"name": "ada"}, headers={"authorization": "Bearer dyb_unknown"})
    assert rows(database) == []


def test_no_secret_gets_into_a_row(gateway: Callable[..., httpx.Client], admin: Headers, database: Database) -> None:
    gateway().post("/keys?key=dyb_secret", headers=admin, json={})
    assert rows(database) == [("admin", "POST /api/v1/keys", 201)]
