"""Real parts for every test: one PostgreSQL and one S3 server a run, a fresh database and bucket a test."""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import hypothesis
import procrastinate
import psycopg2
import pytest

from dynaboard import embedded, migrate
from dynaboard.database import Database
from dynaboard.identity import Caller, Role, headers_for
from dynaboard.settings import Settings
from dynaboard.storage import Storage, make_storage

# A busy machine must not fail a property; CI draws the same examples each time.
hypothesis.settings.register_profile("dynaboard", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.load_profile("dynaboard")

INTERNAL_TOKEN = "internal-token-of-the-tests"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A running PostgreSQL whose database `template_dynaboard` is migrated.

    Not below pytest's own folder: each new run of pytest closes that to other users, and as root PostgreSQL is one.
    """
    with TemporaryDirectory(prefix="dynaboard-") as folder, embedded.postgres(Path(folder)) as url:
        # A connection that a cancelled worker leaves half-made holds up every DROP DATABASE until its time is out.
        execute(url, "ALTER SYSTEM SET authentication_timeout = '5s'")
        execute(url, "SELECT pg_reload_conf()")
        execute(url, "CREATE DATABASE template_dynaboard")
        migrate.upgrade(with_database(url, "template_dynaboard"))
        yield url


@pytest.fixture
def database_url(postgres_url: str) -> Iterator[str]:
    """A fresh copy of the migrated template (about 30 ms)."""
    name = f"test_{uuid4().hex}"
    execute(postgres_url, f"CREATE DATABASE {name} TEMPLATE template_dynaboard")
    yield with_database(postgres_url, name)
    execute(postgres_url, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """Transactions on the test's own database."""
    database = Database(database_url)
    yield database
    database.close()


@pytest.fixture(scope="session")
def s3_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.S3Address]:
    """A running S3 server."""
    with embedded.s3(tmp_path_factory.mktemp("s3")) as address:
        yield address


@pytest.fixture
def platform(database_url: str, s3_address: embedded.S3Address, tmp_path: Path) -> dict[str, Any]:
    """Keyword arguments for any service's settings: the test's database, bucket and token."""
    return {
        "data_dir": tmp_path / "data",
        "database_url": database_url,
        "s3_url": s3_address.url,
        "s3_access_key": s3_address.access_key,
        "s3_secret_key": s3_address.secret_key,
        "s3_bucket": f"test-{uuid4().hex}",
        "internal_token": INTERNAL_TOKEN,
    }


@pytest.fixture
def storage(platform: dict[str, Any]) -> Iterator[Storage]:
    """The test's own bucket."""
    storage = make_storage(Settings(**platform))
    storage.create_bucket()
    yield storage
    storage.client.close()


@pytest.fixture
def as_caller() -> Callable[..., dict[str, str]]:
    """Headers with which the gateway would pass on a caller: as_caller("ada", Role.SUBMITTER)."""

    def headers(name: str, role: Role = Role.SUBMITTER) -> dict[str, str]:
        return headers_for(Caller(name, role), INTERNAL_TOKEN)

    return headers


@pytest.fixture
def run_jobs() -> Callable[[procrastinate.App], None]:
    """Run the queued jobs of an application with a real worker until none is left."""

    def run(app: procrastinate.App) -> None:
        async def work() -> None:
            async with app.open_async():
                await app.run_worker_async(wait=False, install_signal_handlers=False, listen_notify=False)

        asyncio.run(work())

    return run


def with_database(url: str, name: str) -> str:
    """The same server, another database."""
    return f"{url.rsplit('/', 1)[0]}/{name}"


def execute(url: str, statement: str) -> None:
    """One statement outside a transaction."""
    connection = psycopg2.connect(url)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(statement)
    connection.close()
