"""Migrations give exactly the tables the code declares, and can be taken back."""

import os
import subprocess
import sys

import pytest
from alembic import command
from sqlalchemy import inspect, text

from dynaboard import migrate
from dynaboard.database import Database, make_engine
from tests.conftest import execute, with_database


def tables(url: str) -> set[str]:
    engine = make_engine(url)
    names = set(inspect(engine).get_table_names())
    engine.dispose()
    return names


def test_migrated_database_has_exactly_the_declared_tables(database_url: str) -> None:
    engine = make_engine(database_url)
    with engine.begin() as connection:
        config = migrate.alembic_config()
        config.attributes["connection"] = connection
        command.check(config)
    engine.dispose()


def test_migrations_go_down_and_up_again(database_url: str) -> None:
    before = tables(database_url)
    migrate.downgrade(database_url, "base")
    assert tables(database_url) == {"alembic_version"}
    migrate.upgrade(database_url)
    assert tables(database_url) == before


def stamp(url: str, revision: str) -> None:
    engine = make_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})
    engine.dispose()


def test_tables_of_a_newer_version_are_left_alone(database_url: str) -> None:
    before = tables(database_url)
    stamp(database_url, "9999")
    migrate.upgrade(database_url)
    assert tables(database_url) == before


def test_a_migrated_database_keeps_nobody_waiting(database_url: str) -> None:
    migrate.await_newest(database_url, patience_s=0)


def test_nobody_waits_on_tables_of_a_newer_version(database_url: str) -> None:
    stamp(database_url, "9999")
    migrate.await_newest(database_url, patience_s=0)


def test_a_database_without_tables_keeps_services_waiting(database_url: str) -> None:
    migrate.downgrade(database_url, "base")
    with pytest.raises(RuntimeError, match="services migrate"):
        migrate.await_newest(database_url, patience_s=0)


def test_a_wrong_address_is_told_in_a_sentence() -> None:
    with pytest.raises(RuntimeError, match="DYNABOARD_DATABASE_URL"):
        migrate.upgrade_when_up("postgresql://nobody@127.0.0.1:1/none", patience_s=0)


def test_services_wait_for_a_database_that_does_not_answer_yet() -> None:
    with pytest.raises(RuntimeError, match="services migrate"):
        migrate.await_newest("postgresql://nobody@127.0.0.1:1/none", patience_s=0)


@pytest.mark.parametrize(
    ("revision", "current"), [("9999", True), ("0001", False), (None, True)], ids=["newer", "older", "the same"]
)
def test_code_runs_on_tables_of_its_own_version_and_of_newer_ones(
    database_url: str, database: Database, revision: str | None, current: bool
) -> None:
    if revision:
        stamp(database_url, revision)
    assert migrate.are_current(database) is current


def test_two_who_migrate_at_once_apply_everything_once(postgres_url: str) -> None:
    execute(postgres_url, "CREATE DATABASE two_migrate")
    url = with_database(postgres_url, "two_migrate")
    program = [sys.executable, "-m", "services", "migrate"]
    environment = os.environ | {"DYNABOARD_DATABASE_URL": url, "PYTHONPATH": "shared:."}
    started = [subprocess.Popen(program, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    logs = [one.communicate(timeout=120)[1] for one in started]
    assert [one.returncode for one in started] == [0, 0], logs
    migrate.await_newest(url, patience_s=0)  # and applied twice, the second would have met its own tables
    execute(postgres_url, "DROP DATABASE two_migrate WITH (FORCE)")
