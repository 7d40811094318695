"""Answers that need not be fetched again: each is asked about every time, and used where its service says it holds."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

MOST_BYTES = 2 * 1024**2
ALL_BYTES = 64 * 1024**2
# What an answer takes beside its body, its headers and its key, roughly.
OVERHEAD_BYTES = 1024


@dataclass(frozen=True)
class Answer:
    """A service's whole answer: its status, the headers that go out, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def etag(self) -> str:
        """Its tag; empty without one."""
        return self.headers.get("etag", "")


class Revalidated:
    """The newest answers that have an ETag, up to `all_bytes` of them. Used from one event loop.

    A key must say everything that an answer depends on: address, caller, and what the client takes. Nothing is answered
    from here unasked: the service decides each time, for this caller, whether the tag still holds (304) or not.
    """

    def __init__(self, all_bytes: int = ALL_BYTES) -> None:
        self._all_bytes, self._bytes = all_bytes, 0
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()

    def find(self, key: Hashable) -> Answer | None:
        """The answer kept under this key."""
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def keep(self, key: Hashable, answer: Answer) -> None:
        """Keep a successful answer with a tag instead of what was there; of any other nothing is kept."""
        before = self._answers.pop(key, None)
        self._bytes -= _weight(key, before) if before else 0
        if answer.status != 200 or not answer.etag or "no-store" in answer.headers.get("cache-control", ""):
            return
        self._answers[key] = answer
        self._bytes += _weight(key, answer)
        while self._bytes > self._all_bytes:
            self._bytes -= _weight(*self._answers.popitem(last=False))


def _weight(key: Hashable, answer: Answer) -> int:
    """Bytes. A key has the client's address and headers in it, which may be longer than the answer."""
    return len(answer.body) + len(str(key)) + OVERHEAD_BYTES
