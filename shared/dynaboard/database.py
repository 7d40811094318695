"""The database: one engine a process, transactions opened in routes and jobs only."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, ExceptionContext, create_engine, event
from sqlalchemy.orm import Session

from dynaboard.telemetry import DATABASE_ERRORS


def make_engine(database_url: str, **options: Any) -> Engine:
    """An engine with a small pool, unless `options` of SQLAlchemy's say otherwise; it counts what fails.

    `database_url` is a plain postgresql:// address.
    """
    url = database_url.replace("postgresql://", "postgresql+psycopg2://", 1)
    pool = {} if "poolclass" in options else {"pool_size": 5, "max_overflow": 15, "pool_pre_ping": True}
    engine = create_engine(url, **pool, **options)
    event.listen(engine, "handle_error", _count)
    return engine


def _count(context: ExceptionContext) -> None:
    # SQLAlchemy's eight classes of database errors; what is none of them is our own code's.
    if context.sqlalchemy_exception is not None:
        DATABASE_ERRORS.labels(type(context.sqlalchemy_exception).__name__).inc()


class Database:
    """Hands out transactions: `with database.begin() as db:` commits at its end, or rolls back on an error."""

    def __init__(self, database_url: str) -> None:
        self.url = database_url
        self.engine = make_engine(database_url)

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """One transaction. Objects stay readable after it, whether it committed or not."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            try:
                yield session
            except BaseException:
                # A rollback makes unreadable whatever the session holds, and others may have kept what was read in it.
                session.expunge_all()
                raise

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()
