"""The database: one engine a process, transactions opened in routes and jobs only."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, create_engine
from sqlalchemy.orm import Session


def make_engine(database_url: str) -> Engine:
    """An engine with a small pool. `database_url` is a plain postgresql:// address."""
    url = database_url.replace("postgresql://", "postgresql+psycopg2://", 1)
    return create_engine(url, pool_size=5, max_overflow=15, pool_pre_ping=True)


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
