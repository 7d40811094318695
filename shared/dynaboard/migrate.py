"""Brings a database to the newest tables. One process at a time; others wait."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from dynaboard.database import Database, make_engine

LOG = logging.getLogger(__name__)
MIGRATE_LOCK = 7_303_014
OLD = "The database's tables are of another version; run `python -m services migrate` of this one."
# How long services wait for somebody to migrate; where it takes longer, they are started again and go on waiting.
PATIENCE_S = 600.0


def migrations_folder() -> Path:
    """The migrations: beside the sources in a checkout, inside the package when installed."""
    inside = Path(__file__).parent / "migrations"
    return inside if inside.exists() else Path(__file__).parents[2] / "migrations"


def alembic_config() -> Config:
    """Alembic's configuration, without a file."""
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    return config


def upgrade(database_url: str, revision: str = "head") -> None:
    """Apply every missing migration in one transaction, under an advisory lock.

    Tables of a newer version are left alone: code of the version before runs on them, which a rollback relies on.
    """
    with _connected(database_url) as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATE_LOCK})
        config = alembic_config()
        if _newer(connection):
            LOG.warning("the tables are those of a newer version; they stay as they are")
        else:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)


def upgrade_when_up(database_url: str, patience_s: float = PATIENCE_S) -> None:
    """Apply every missing migration as soon as the database answers. Raises RuntimeError after `patience_s`."""
    engine, deadline = make_engine(database_url, poolclass=NullPool), time.monotonic() + patience_s
    while not _answers(engine):
        if time.monotonic() > deadline:
            raise RuntimeError("the database does not answer; is DYNABOARD_DATABASE_URL right?")
        time.sleep(1)
    upgrade(database_url)


def await_newest(database_url: str, patience_s: float = PATIENCE_S) -> None:
    """Return when the tables are those of this version or of a newer one. Raises RuntimeError after `patience_s`."""
    engine, deadline, told = make_engine(database_url, poolclass=NullPool), time.monotonic() + patience_s, False
    while not _is_newest(engine):
        if time.monotonic() > deadline:
            raise RuntimeError("nobody has migrated the database; run `python -m services migrate`")
        if not told:
            LOG.info("waiting for `python -m services migrate`")
            told = True
        time.sleep(1)


def are_current(database: Database) -> bool:
    """Whether the tables are those of this version or of a newer one. Raises SQLAlchemy's OperationalError."""
    with database.begin() as db:
        return _is_current(db.connection())


def _answers(engine: Engine) -> bool:
    try:
        engine.connect().close()
    except OperationalError as error:
        LOG.info("the database does not answer yet: %s", str(error.orig).strip())
        return False
    return True


def _is_newest(engine: Engine) -> bool:
    if not _answers(engine):
        return False
    with engine.connect() as connection:
        return _is_current(connection)


def _is_current(connection: Connection) -> bool:
    return _newer(connection) or _revisions(connection) == _scripts()[0]


def _newer(connection: Connection) -> bool:
    """Whether the database holds a revision that this code has never heard of."""
    return bool(_revisions(connection) - _scripts()[1])


@cache
def _scripts() -> tuple[frozenset[str], frozenset[str]]:
    """The newest revisions of this code, and all of them."""
    scripts = ScriptDirectory.from_config(alembic_config())
    return frozenset(scripts.get_heads()), frozenset(script.revision for script in scripts.walk_revisions())


def _revisions(connection: Connection) -> frozenset[str]:
    return frozenset(MigrationContext.configure(connection).get_current_heads())


def downgrade(database_url: str, revision: str) -> None:
    """Take migrations back."""
    with _connected(database_url) as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


@contextmanager
def _connected(database_url: str) -> Iterator[Connection]:
    """One transaction over a connection of its own."""
    engine = make_engine(database_url, poolclass=NullPool)
    with engine.begin() as connection:
        yield connection
