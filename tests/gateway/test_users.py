"""Users and API keys."""

from collections.abc import Callable

import httpx
import pytest
from sqlalchemy import select

from dynaboard.database import Database
from dynaboard.tables import ApiKey
from services.gateway.keys import MOST_KEYS, digest_of, ensure_admin

Start = Callable[..., httpx.Client]
Headers = dict[str, str]


@pytest.fixture
def http(gateway: Start) -> httpx.Client:
    return gateway()


def add(http: httpx.Client, admin: Headers, name: str, role: str = "submitter") -> Headers:
    response = http.post("/users", headers=admin, json={"name": name, "role": role})
    assert response.status_code == 201, response.text
    return {"authorization": f"Bearer {response.json()['key']}"}


def test_the_settings_key_belongs_to_the_administrator(http: httpx.Client, admin: Headers) -> None:
    assert http.get("/whoami", headers=admin).json() == {"name": "admin", "role": "admin"}


def test_a_new_administrator_key_replaces_the_old_one(database: Database, gateway: Start, admin: Headers) -> None:
    gateway()
    new = gateway(admin_key="dyb_another")
    assert new.get("/whoami", headers=admin).status_code == 401
    assert new.get("/whoami", headers={"authorization": "Bearer dyb_another"}).json()["role"] == "admin"


def test_an_administrator_key_taken_back_into_the_settings_is_valid_again(
    database: Database, gateway: Start, admin: Headers
) -> None:
    gateway()
    ensure_admin(database, "dyb_another")
    assert gateway().get("/whoami", headers=admin).status_code == 200


def test_without_an_administrator_key_there_is_no_administrator(gateway: Start, admin: Headers) -> None:
    assert gateway(admin_key="").get("/whoami", headers=admin).status_code == 401


def test_a_new_user_gets_a_key_that_works(http: httpx.Client, admin: Headers) -> None:
    ada = add(http, admin, "ada")
    assert http.get("/whoami", headers=ada).json() == {"name": "ada", "role": "submitter"}
    assert http.get("/users", headers=admin).json() == [
        {"name": "ada", "role": "submitter"},
        {"name": "admin", "role": "admin"},
    ]


def test_a_taken_name_is_a_conflict(http: httpx.Client, admin: Headers) -> None:
    add(http, admin, "ada")
    response = http.post("/users", headers=admin, json={"name": "ada"})
    assert (response.status_code, response.json()["error"]) == (409, "Conflict")


def test_only_the_digest_of_a_key_is_stored(http: httpx.Client, admin: Headers, database: Database) -> None:
    key = add(http, admin, "ada")["authorization"].removeprefix("Bearer ")
    with database.begin() as db:
        rows = [{c.name: getattr(row, c.name) for c in ApiKey.__table__.columns} for row in db.scalars(select(ApiKey))]
    assert digest_of(key) in {row["digest"] for row in rows}
    assert key not in str(rows)


def test_a_second_key_is_as_good_as_the_first(http: httpx.Client, admin: Headers) -> None:
    ada = add(http, admin, "ada")
    made = http.post("/keys", headers=ada, json={"label": "laptop"})
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    second = {"authorization": f"Bearer {made.json()['key']}"}
    assert http.get("/whoami", headers=second).json()["name"] == "ada"
    assert [key["label"] for key in http.get("/keys", headers=second).json()] == ["first", "laptop"]


def test_a_revoked_key_is_refused_at_once(http: httpx.Client, admin: Headers) -> None:
    ada = add(http, admin, "ada")
    key_id = http.get("/keys", headers=ada).json()[0]["id"]
    assert http.delete(f"/keys/{key_id}", headers=ada).status_code == 204
    assert http.get("/whoami", headers=ada).status_code == 401


def test_a_revoked_key_stays_in_the_list_with_its_end(http: httpx.Client, admin: Headers) -> None:
    ada = add(http, admin, "ada")
    key_id = http.post("/keys", headers=ada, json={}).json()["id"]
    http.delete(f"/keys/{key_id}", headers=ada)
    assert [key["revoked_at"] is None for key in http.get("/keys", headers=ada).json()] == [True, False]


def test_somebody_elses_key_does_not_exist(http: httpx.Client, admin: Headers) -> None:
    ada, eve = add(http, admin, "ada"), add(http, admin, "eve")
    key_id = http.get("/keys", headers=ada).json()[0]["id"]
    assert http.delete(f"/keys/{key_id}", headers=eve).status_code == 404
    assert http.get("/whoami", headers=ada).status_code == 200


def test_somebody_elses_keys_are_neither_shown_nor_made(http: httpx.Client, admin: Headers) -> None:
    add(http, admin, "ada")
    eve = add(http, admin, "eve")
    assert http.get("/keys", headers=eve, params={"user": "ada"}).status_code == 403
    assert http.post("/keys", headers=eve, json={"user": "ada"}).status_code == 403


def test_an_administrator_helps_who_lost_a_key(http: httpx.Client, admin: Headers) -> None:
    lost = add(http, admin, "ada")
    for key in http.get("/keys", headers=admin, params={"user": "ada"}).json():
        assert http.delete(f"/keys/{key['id']}", headers=admin).status_code == 204
    new = http.post("/keys", headers=admin, json={"user": "ada"}).json()["key"]
    assert http.get("/whoami", headers=lost).status_code == 401
    assert http.get("/whoami", headers={"authorization": f"Bearer {new}"}).json()["name"] == "ada"


def test_a_user_has_a_bounded_number_of_keys(http: httpx.Client, admin: Headers) -> None:
    made = [http.post("/keys", headers=admin, json={}).status_code for _ in range(MOST_KEYS)]
    assert made == [201] * (MOST_KEYS - 1) + [409]
