"""The order of cells: what has a greater id was committed later, so whoever has seen one id has seen all before it."""

from sqlalchemy import text
from sqlalchemy.orm import Session


def in_order(db: Session) -> None:
    """Until the transaction ends, nobody else adds cells or copies. Say it right before they are added.

    PostgreSQL gives ids when rows are added, not when they are committed; of two processes the slower would add cells
    that a leaderboard, which looks for greater ids than it has seen, took for known.
    """
    db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('cells', 0))"))
