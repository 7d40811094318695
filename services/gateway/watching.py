"""How many watch leaderboards, or fetch bundles: each stream holds something for as long as its client likes."""

from collections import Counter
from dataclasses import dataclass

from dynaboard.errors import TooManyRequests, Unavailable

RETRY_S = 30


@dataclass(frozen=True)
class Sentences:
    """What is said to whom there is no place for: `yours` when the caller's own are taken, `all` when everybody's."""

    yours: str
    all: str


BOARDS = Sentences(
    "You watch {} leaderboards already; end one of these streams first.",
    "Too many are watching leaderboards just now; ask for the leaderboard itself instead.",
)
BUNDLES = Sentences(
    "You are fetching {} bundles already; wait until one has come.",
    "Many bundles are being fetched just now; try again in a minute.",
)


class Watching:
    """Counts streams, those of a caller and all together. Used from one event loop."""

    def __init__(self, per_caller: int, in_all: int, sentences: Sentences = BOARDS) -> None:
        self._per_caller, self._in_all, self._sentences = per_caller, in_all, sentences
        self._streams: Counter[str] = Counter()

    def enter(self, who: str) -> "Place":
        """A place for one more stream. Raises TooManyRequests (the caller's are taken) and Unavailable (all are)."""
        if self._streams[who] >= self._per_caller:
            raise TooManyRequests(self._sentences.yours.format(self._per_caller), RETRY_S)
        if self._streams.total() >= self._in_all:
            raise Unavailable(self._sentences.all)
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
