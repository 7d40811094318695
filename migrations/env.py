"""Runs the migrations on the database the caller names (`-x url=…`, or attributes["connection"])."""

from alembic import context
from sqlalchemy import Connection, create_engine

from dynaboard.tables import Table


def include(name: str | None, kind: str, _parents: object) -> bool:
    """procrastinate's tables are its own business."""
    return not (kind == "table" and name is not None and name.startswith("procrastinate_"))


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Table.metadata, include_name=include, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()


given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    url = context.get_x_argument(as_dictionary=True)["url"].replace("postgresql://", "postgresql+psycopg2://", 1)
    with create_engine(url).begin() as opened:
        run(opened)
