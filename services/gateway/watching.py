"""How many watch leaderboards: each stream holds connections open for as long as its client likes."""

from collections import Counter

from dynaboard.errors import TooManyRequests, Unavailable

RETRY_S = 30


class Watching:
    """Counts streams, those of a caller and all together. Used from one event loop."""

    def __init__(self, per_caller: int, in_all: int) -> None:
        self._per_caller, self._in_all = per_caller, in_all
        self._streams: Counter[str] = Counter()

    def enter(self, who: str) -> "Place":
        """A place for one more stream. Raises TooManyRequests (the caller's are taken) and Unavailable (all are)."""
        if self._streams[who] >= self._per_caller:
            detail = f"You watch {self._per_caller} leaderboards already; end one of these streams first."
            raise TooManyRequests(detail, RETRY_S)
        if self._streams.total() >= self._in_all:
            raise Unavailable("Too many are watching leaderboards just now; ask for the leaderboard itself instead.")
        self._streams[who] += 1
        return Place(self._streams, who)


class Place:
    """One stream's place."""

    def __init__(self, streams: Counter[str], who: str) -> None:
        self._streams, self._who, self._left = streams, who, False

    def leave(self) -> None:
        """Give the place back; may be called again."""
        if not self._left:
            self._left = True
            self._streams[self._who] -= 1
            if not self._streams[self._who]:
                del self._streams[self._who]
