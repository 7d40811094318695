"""Brings a database to the newest tables. One process at a time; others wait."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from dynaboard.database import make_engine

MIGRATE_LOCK = 7_303_014


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
    """Apply every missing migration in one transaction, under an advisory lock."""
    engine = make_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATE_LOCK})
        config = alembic_config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def downgrade(database_url: str, revision: str) -> None:
    """Take migrations back."""
    engine = make_engine(database_url)
    with engine.begin() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        command.downgrade(config, revision)
    engine.dispose()
