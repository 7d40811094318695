"""The word that a leaderboard may have changed, from whoever changed it to whoever watches it."""

from sqlalchemy import text
from sqlalchemy.orm import Session

CHANNEL = "dynaboard_boards"


def announce(db: Session, payload: str = "") -> None:
    """Tell the watchers when the transaction commits; an empty payload means "look again"."""
    db.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})
