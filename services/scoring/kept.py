"""What has been computed and still holds: a small store that forgets what is outdated and what is asked for least."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by key, each with the token under which it was made; safe to use from any thread.

    A value is made anew when its token is another, and after `seconds` in any case, so whatever a token leaves out
    shows by then. Of each key only one thread makes a value; the others wait for it. Beyond `most` keys, the one
    that was not asked for longest is forgotten.
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._values: OrderedDict[Hashable, tuple[Hashable, float, Value]] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, token: Hashable, make: Callable[[], Value]) -> Value:
        """The value of the key, made if there is none that holds. What `make` raises is raised, and nothing kept."""
        found = self._find(key, token)
        if found is not None:
            return found[2]
        with self._lock:
            making = self._making.setdefault(key, Lock())
        try:
            with making:
                found = self._find(key, token) or self._put(key, token, make())
        finally:
            with self._lock:
                self._making.pop(key, None)
        return found[2]

    def _find(self, key: Hashable, token: Hashable) -> tuple[Hashable, float, Value] | None:
        with self._lock:
            found = self._values.get(key)
            if found is None or found[0] != token or monotonic() - found[1] > self._seconds:
                return None
            self._values.move_to_end(key)
            return found

    def _put(self, key: Hashable, token: Hashable, value: Value) -> tuple[Hashable, float, Value]:
        kept = (token, monotonic(), value)
        with self._lock:
            self._values[key] = kept
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return kept
