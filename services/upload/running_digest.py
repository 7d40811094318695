"""The sha256 of archives that are still arriving, so that a finished one need not be read again."""

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

# Clients send two parts at a time, so a part may overtake the one or two before it.
OVERTAKES = 2


@dataclass
class _Running:
    next_part: int = 1
    hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    lost: bool = False


class RunningDigests:
    """Only a shortcut: what does not fit (another replica, a part sent again) is lost, and the archive read again."""

    def __init__(self, remember: int = 256, patience_s: float = 2.0) -> None:
        self._remember = remember
        self._patience_s = patience_s
        self._running: OrderedDict[str, _Running] = OrderedDict()
        self._advanced = threading.Condition()

    def add(self, upload_id: str, part: int, data: memoryview) -> None:
        """Count part number `part` (from 1). One that overtook others waits a little for them."""
        with self._advanced:
            running = self._running.setdefault(upload_id, _Running())
            while len(self._running) > self._remember:
                self._running.popitem(last=False)
            if part - running.next_part <= OVERTAKES:
                self._advanced.wait_for(lambda: running.lost or running.next_part >= part, self._patience_s)
            if running.lost or running.next_part != part:
                running.lost = True
                self._advanced.notify_all()
                return
        running.hash.update(data)
        with self._advanced:
            running.next_part += 1
            self._advanced.notify_all()

    def finish(self, upload_id: str, parts: int) -> str | None:
        """The sha256 of an upload whose `parts` parts were all counted, else None."""
        with self._advanced:
            running = self._running.pop(upload_id, None)
        return running.hash.hexdigest() if running and not running.lost and running.next_part == parts + 1 else None
