"""One measurement at a time on a machine, and questions only between measurements."""

import asyncio
import time
from pathlib import Path

import pytest

from dynaboard.errors import Unavailable
from services.evaluator.slot import Slot


def test_questions_may_be_answered_side_by_side_but_not_beside_a_measurement(tmp_path: Path) -> None:
    slot, other_process = Slot(tmp_path), Slot(tmp_path)

    async def story() -> None:
        async with slot.shared(1), other_process.shared(1):
            pass
        async with slot.exclusive():
            with pytest.raises(Unavailable, match="ask again in a minute"):
                async with other_process.shared(0.05):
                    pytest.fail("beside a measurement")
        async with other_process.shared(0.05):
            pass

    asyncio.run(story())


def test_a_stream_of_questions_does_not_put_a_measurement_off(tmp_path: Path) -> None:
    slot = Slot(tmp_path)

    async def questions(name: int, until: asyncio.Event) -> None:
        while not until.is_set():
            try:
                async with slot.shared(0.01):
                    await asyncio.sleep(0.03 + name / 100)
            except Unavailable:
                continue

    async def story() -> float:
        measured = asyncio.Event()
        asking = [asyncio.create_task(questions(name, measured)) for name in range(4)]
        await asyncio.sleep(0.05)
        began = time.monotonic()
        async with slot.exclusive():
            waited = time.monotonic() - began
            measured.set()
        await asyncio.gather(*asking)
        return waited

    assert asyncio.run(story()) < 2


def test_measurements_wait_for_each_other(tmp_path: Path) -> None:
    order = []

    async def measure(name: str) -> None:
        async with Slot(tmp_path).exclusive():
            order.append(f"{name} begins")
            await asyncio.sleep(0.03)
            order.append(f"{name} ends")

    async def story() -> None:
        await asyncio.gather(measure("a"), measure("b"))

    asyncio.run(story())
    assert order == ["a begins", "a ends", "b begins", "b ends"]
