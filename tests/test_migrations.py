"""Migrations give exactly the tables the code declares, and can be taken back."""

from alembic import command
from sqlalchemy import inspect

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
