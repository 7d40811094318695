"""What has been computed and still holds: a small store that forgets what is outdated and what is asked for least."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True)
class _Entry(Generic[Value]):
    """A value with the token under which it was made, and since when it was not made from nothing."""

    token: Any
    since: float
    value: Value


class Kept(Generic[Value]):
    """Values by key, each with the token under which it was made; safe to use from any thread.

    A value is made anew when its token is another, and from nothing once `seconds` have passed, so whatever a token
    leaves out shows by then. Of each key only one thread makes a value; the others wait for it, or take the one before
    if it is only due for renewal. Beyond `most` keys, the one that was not asked for longest is forgotten.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._entries: OrderedDict[Hashable, _Entry[Value]] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, token: Any, make: Callable[[], Value]) -> Value:
        """The value of the key, made if there is none that holds. What `make` raises is raised, and nothing kept."""
        return self.follow(key, token, lambda _: make())

    def follow(self, key: Hashable, token: Any, make: Callable[[tuple[Any, Value] | None], Value]) -> Value:
        """The same; `make` is given token and value before, to make the next of them: None once these are too old."""
        found = self._find(key, token, renewed=True)
        if found is not None:
            return found.value
        with self._lock:
            making = self._making.setdefault(key, Lock())
        try:
            with making:
                found = self._find(key, token, renewed=False) or self._make(key, token, make)
        finally:
            with self._lock:
                self._making.pop(key, None)
        return found.value

    def last(self, key: Hashable) -> tuple[Any, Value] | None:
        """The token and value kept last, unless they are too old."""
        with self._lock:
            found = self._entries.get(key)
        return (found.token, found.value) if found is not None and self._young(found) else None

    def mapped(self, change: Callable[[Value], Value]) -> "Kept[Value]":
        """A store of the same keys with changed values."""
        other: Kept[Value] = Kept(self._most, self._seconds)
        with self._lock:
            entries = list(self._entries.items())
        for key, entry in entries:
            other._entries[key] = _Entry(entry.token, entry.since, change(entry.value))
        return other

    def _young(self, entry: _Entry[Value]) -> bool:
        return monotonic() - entry.since <= self._seconds

    def _find(self, key: Hashable, token: Any, renewed: bool) -> _Entry[Value] | None:
        """What holds; `renewed`: or what another thread renews just now only because of its age."""
        with self._lock:
            found = self._entries.get(key)
            making = self._making.get(key)
            if found is None or found.token != token:
                return None
            if not self._young(found) and not (renewed and making is not None and making.locked()):
                return None
            self._entries.move_to_end(key)
            return found

    def _make(self, key: Hashable, token: Any, make: Callable[[tuple[Any, Value] | None], Value]) -> _Entry[Value]:
        with self._lock:
            before = self._entries.get(key)
        before = before if before is not None and self._young(before) else None
        value = make((before.token, before.value) if before is not None else None)
        made = _Entry(token, before.since if before is not None else monotonic(), value)
        with self._lock:
            self._entries[key] = made
            self._entries.move_to_end(key)
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
        return made
