"""The gateway as a real server, before services that echo (or are real), on a database of its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import pytest

from dynaboard.database import Database
from dynaboard.identity import Role
from services.gateway.app import create_app
from services.gateway.keys import add_key, add_user
from services.gateway.settings import GatewaySettings
from tests.conftest import INTERNAL_TOKEN, execute, with_database
from tests.gateway.echo import Echo
from tests.serving import serving

ADMIN_KEY = "dyb_the-key-of-the-settings"


@dataclass(frozen=True)
class World:
    """A running gateway and what lies behind it. `keys` holds a key for each role, of a user named like the role."""

    url: str
    database: Database
    upload: Echo
    evaluator: Echo
    scoring: Echo
    keys: dict[Role, str]

    def headers(self, role: Role) -> dict[str, str]:
        """What a caller of this role sends."""
        return {} if role == Role.ANONYMOUS else {"authorization": f"Bearer {self.keys[role]}"}


@pytest.fixture(scope="module")
def module_database_url(postgres_url: str) -> Iterator[str]:
    """A fresh copy of the migrated template for the tests of a module."""
    name = f"test_{uuid4().hex}"
    execute(postgres_url, f"CREATE DATABASE {name} TEMPLATE template_dynaboard")
    yield with_database(postgres_url, name)
    execute(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def world(module_database_url: str) -> Iterator[World]:
    """The gateway before three echoes."""
    upload, evaluator, scoring = Echo("upload"), Echo("evaluator"), Echo("scoring")
    with ExitStack() as stack:
        settings: dict[str, Any] = {
            "database_url": module_database_url,
            "internal_token": INTERNAL_TOKEN,
            "requests_per_minute": 10**6,
            "upload_url": stack.enter_context(serving(upload.app())),
            "evaluator_url": stack.enter_context(serving(evaluator.app())),
            "scoring_url": stack.enter_context(serving(scoring.app())),
        }
        url = stack.enter_context(serving(create_app(GatewaySettings(**settings))))
        database = Database(module_database_url)
        stack.callback(database.close)
        yield World(url, database, upload, evaluator, scoring, make_keys(database))


@pytest.fixture(scope="module")
def http(world: World) -> Iterator[httpx.Client]:
    """Calls the gateway as nobody, unless headers say otherwise."""
    with httpx.Client(base_url=f"{world.url}/api/v1", timeout=30) as client:
        yield client


@pytest.fixture
def gateway(database_url: str) -> Iterator[Callable[..., httpx.Client]]:
    """Start a gateway with settings of its own, nothing behind it, and its administrator's key known."""
    with ExitStack() as stack:

        def start(**settings: Any) -> httpx.Client:
            nowhere = dict.fromkeys(("upload_url", "evaluator_url", "scoring_url"), "http://127.0.0.1:9")
            known = {"database_url": database_url, "internal_token": INTERNAL_TOKEN, "admin_key": ADMIN_KEY}
            app = create_app(GatewaySettings(**(nowhere | known | settings)))
            url = stack.enter_context(serving(app))
            return stack.enter_context(httpx.Client(base_url=f"{url}/api/v1", timeout=30))

        yield start


@pytest.fixture
def admin() -> dict[str, str]:
    """The headers of the administrator of `gateway`."""
    return {"authorization": f"Bearer {ADMIN_KEY}"}


def make_keys(database: Database) -> dict[Role, str]:
    """A user with a key for each role but anonymous."""
    with database.begin() as db:
        roles = [role for role in Role if role != Role.ANONYMOUS]
        return {role: add_key(db, add_user(db, role.value, role), "").key for role in roles}
