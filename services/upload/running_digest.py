"""The sha256 of archives that are still arriving, so that a finished one need not be read again."""

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field


@dataclass
class _Running:
    next_part: int = 1
    hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)


class RunningDigests:
    """Only a shortcut: whatever does not fit (another replica, a part sent again) is forgotten and read again later."""

    def __init__(self, remember: int = 256, patience_s: float = 5.0) -> None:
        self._remember = remember
        self._patience_s = patience_s
        self._running: OrderedDict[str, _Running] = OrderedDict()
        self._advanced = threading.Condition()

    def add(self, upload_id: str, part: int, data: memoryview) -> None:
        """Count part number `part` (from 1). Waits a little for the parts before it, which come at the same time."""
        with self._advanced:
            if part == 1:
                self._running[upload_id] = _Running()
                self._forget_oldest()
            self._advanced.wait_for(lambda: not self._precedes(upload_id, part), self._patience_s)
            running = self._running.get(upload_id)
            if running is None or running.next_part != part:
                self._running.pop(upload_id, None)
                return
        running.hash.update(data)
        with self._advanced:
            running.next_part += 1
            self._advanced.notify_all()

    def finish(self, upload_id: str, parts: int) -> str | None:
        """The sha256 of an upload whose `parts` parts were all counted, else None."""
        with self._advanced:
            running = self._running.pop(upload_id, None)
        return running.hash.hexdigest() if running and running.next_part == parts + 1 else None

    def _precedes(self, upload_id: str, part: int) -> bool:
        running = self._running.get(upload_id)
        return running is not None and running.next_part < part

    def _forget_oldest(self) -> None:
        while len(self._running) > self._remember:
            self._running.popitem(last=False)
