"""The sha256 of archives that are still arriving, so that a finished one need not be read again."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

# Clients send two parts at a time, so a part may overtake the one or two before it.
OVERTAKES = 2


@dataclass
class _Running:
    next_part: int = 1
    hash: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    tags: dict[int, str] = field(default_factory=dict)
    lost: bool = False


class RunningDigests:
    """Only a shortcut: what does not fit (another replica, a part sent again) is lost, and the archive read again.

    The object store's entity tags tell whether it still holds the very parts that were counted here.
    """

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

    def stored(self, upload_id: str, part: int, tag: str) -> None:
        """The object store gave the part that was counted this tag."""
        with self._advanced:
            if running := self._running.get(upload_id):
                running.tags[part] = tag

    def finish(self, upload_id: str, tags: Mapping[int, str]) -> str | None:
        """The sha256 of an upload that became an object of parts with these tags; None unless all were counted here."""
        with self._advanced:
            running = self._running.pop(upload_id, None)
        whole = running and not running.lost and running.next_part == len(tags) + 1 and running.tags == tags
        return running.hash.hexdigest() if running and whole else None
