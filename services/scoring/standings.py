"""The boards of a process that stand: brought up to date by what has landed, read whole where that is not enough."""

from sqlalchemy.orm import Session

from dynaboard.identity import Caller
from services.scoring.freshness import Token
from services.scoring.kept import Kept
from services.scoring.landing import landed
from services.scoring.standing import Scope, Standing, read_standing

BOARDS_KEPT = 8
# Read whole once an hour, whatever else: what no token tells shows by then.
WHOLE_S = 3600.0


class Standings:
    """Keeps the newest standing of each scope. For many threads."""

    def __init__(self) -> None:
        self._kept: Kept[Standing] = Kept(BOARDS_KEPT, WHOLE_S)

    def get(self, db: Session, scope: Scope, caller: Caller, token: Token) -> Standing:
        """The standing of a scope under a token that was read just now; `caller` is one whose scope it is."""
        return self._kept.follow(scope, token, lambda before: self._next(db, scope, caller, token, before))

    def unkept(self, db: Session, scope: Scope, caller: Caller, token: Token) -> Standing:
        """The same, but not kept: for a transaction that may yet be undone."""
        return self._next(db, scope, caller, token, self._kept.last(scope))

    def _next(
        self, db: Session, scope: Scope, caller: Caller, token: Token, before: tuple[Token, Standing] | None
    ) -> Standing:
        found = landed(db, before[1], before[0], token, caller) if before else None
        return found or read_standing(db, scope, caller)
