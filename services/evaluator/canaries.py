"""The canaries of a measuring slot: a machine that does not run as it did is given time, then its numbers say so.

What to expect is remembered in the cells themselves: the canaries of this hardware profile's steady measurements of the
last seven days. Drifted ones are not remembered, so a slow change cannot hide by being measured often; after a week of
nothing but drift the machine is taken to be another one, and a new memory begins.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from dynaboard.measurement.canary import Canary, drift, limit, remembered
from dynaboard.measurement.host import Host
from dynaboard.tables import Measurement as Cell
from dynaboard.tables import now
from dynaboard.telemetry import CANARY_DRIFT, CANARY_LIMIT
from services.evaluator.bench import Bench

MEMORIES, MEMORY_DAYS = 50, 7
PAUSE_S = 5.0


@dataclass
class Watch:
    """One measurement's canaries, and what was to be expected of them."""

    memories: Sequence[Canary]
    before: Canary
    waited_s: float
    after: Canary | None = None

    @property
    def drift(self) -> float:
        """How much faster the machine was than expected, as a share; of before and after what is further off."""
        sung = [self.before] if self.after is None else [self.before, self.after]
        return max((drift(canary, remembered(self.memories)) for canary in sung), key=abs)

    @property
    def limit(self) -> float:
        """The drift that is usual, at most."""
        return limit(self.memories)

    @property
    def steady(self) -> bool:
        """Whether the machine runs as it did."""
        return abs(self.drift) <= self.limit

    def described(self) -> dict[str, Any]:
        """As it is stored with the numbers."""
        return {
            "before": asdict(self.before),
            "after": asdict(self.after) if self.after else None,
            "drift": round(self.drift, 4),
            "limit": round(self.limit, 4),
            "remembered": len(self.memories),
            "steady": self.steady,
            "waited_s": round(self.waited_s, 1),
        }


@asynccontextmanager
async def watched(bench: Bench, host: Host, hardware: str, patience_s: float) -> AsyncIterator[Watch]:
    """Measure inside the block, which is inside the slot. It begins when the machine is steady, or after the patience:

    no evaluation waits for ever, and whether it was steady is known when the block has ended.
    """
    memories = await asyncio.to_thread(recalled, bench, hardware)
    began = time.monotonic()
    while True:
        watch = Watch(memories, await host.sing(), time.monotonic() - began)
        _show(hardware, watch)
        if watch.steady or watch.waited_s >= patience_s:
            break
        await asyncio.sleep(min(PAUSE_S, patience_s))
    yield watch
    watch.after = await host.sing()
    _show(hardware, watch)


def _show(hardware: str, watch: Watch) -> None:
    CANARY_DRIFT.labels(hardware).set(watch.drift)
    CANARY_LIMIT.labels(hardware).set(watch.limit)


def recalled(bench: Bench, hardware: str) -> list[Canary]:
    """The canaries of the newest steady measurements on this hardware profile."""
    query = (
        select(Cell.provenance["canary"])
        .where(
            Cell.hardware_profile == hardware,
            Cell.metric == "throughput",
            Cell.created_at > now() - timedelta(days=MEMORY_DAYS),
            Cell.provenance["canary"]["steady"].as_boolean(),
        )
        .order_by(Cell.created_at.desc())
        .limit(MEMORIES)
    )
    with bench.database.begin() as db:
        found = db.scalars(query).all()
    return [Canary(**sung[moment]) for sung in found for moment in ("before", "after") if sung[moment]]
