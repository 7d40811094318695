"""Migrations give exactly the tables the code declares, and can be taken back."""

import pytest
from alembic import command
from sqlalchemy import inspect, text

from dynaboard import migrate
from dynaboard.database import make_engine


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
