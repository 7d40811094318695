"""The two moments at the end of a process: who is told, and when."""

import asyncio
import threading

from dynaboard.draining import Moment


def test_whoever_waits_is_told_once_and_whoever_comes_late_at_once() -> None:
    moment, told = Moment(), []
    with moment.told(lambda: told.append("early")):
        moment.arrive()
        moment.arrive()
    with moment.told(lambda: told.append("late")):
        pass
    assert told == ["early", "late"]
    assert moment.come


def test_whoever_has_left_is_not_told() -> None:
    moment, told = Moment(), []
    with moment.told(lambda: told.append("gone")):
        pass
    moment.arrive()
    assert told == []


def test_it_is_awaited_in_any_event_loop() -> None:
    moment, waiting = Moment(), threading.Barrier(3)

    async def wait() -> None:
        soon = asyncio.create_task(moment.wait())
        await asyncio.sleep(0)
        await asyncio.to_thread(waiting.wait, 10)
        await asyncio.wait_for(soon, 10)

    threads = [threading.Thread(target=lambda: asyncio.run(wait())) for _ in range(2)]
    for thread in threads:
        thread.start()
    waiting.wait(10)
    moment.arrive()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
