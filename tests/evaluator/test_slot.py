"""One measurement at a time in a place, and questions only between measurements."""

import asyncio
import itertools
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.advisory_locks import is_held
from dynaboard.database import Database
from dynaboard.errors import PlatformFailure, Unavailable
from services.evaluator.slot import Slot
from tests.evaluator.world import wait_until
from tests.shared.test_advisory_locks import cut

ROOT = Path(__file__).parents[2]
HERE, ELSEWHERE = "machine-1", "machine-2"
# Another evaluator, in a measurement or in an answer that lasts until it is killed.
HOLDER = """
import asyncio, sys
from dynaboard.database import Database
from services.evaluator.slot import Slot

async def hold():
    slot = Slot(Database(sys.argv[1]))
    async with slot.exclusive("machine-1") if sys.argv[2] == "measurement" else slot.shared("machine-1", 1):
        print("in", flush=True)
        await asyncio.sleep(600)

asyncio.run(hold())
"""


@pytest.fixture
def slot(database: Database) -> Iterator[Slot]:
    """The slot of one evaluator."""
    slot = Slot(database)
    yield slot
    slot.close()


@pytest.fixture
def other_process(database: Database) -> Iterator[Slot]:
    """The slot of another evaluator, on the same machine or another."""
    slot = Slot(database)
    yield slot
    slot.close()


def test_questions_may_be_answered_side_by_side_but_not_beside_a_measurement(slot: Slot, other_process: Slot) -> None:
    async def story() -> None:
        async with slot.shared(HERE, 1), other_process.shared(HERE, 1), slot.shared(HERE, 1):
            pass
        async with slot.exclusive(HERE):
            for evaluator in (slot, other_process):
                with pytest.raises(Unavailable, match="ask again in a minute"):
                    async with evaluator.shared(HERE, 0.05):
                        pytest.fail("beside a measurement")
        async with other_process.shared(HERE, 0.05):
            pass

    asyncio.run(story())


def test_a_measurement_waits_for_every_answer_under_way(slot: Slot, other_process: Slot) -> None:
    order: list[str] = []

    async def measure() -> None:
        async with other_process.exclusive(HERE):
            order.append("measured")

    async def story() -> None:
        async with slot.shared(HERE, 1):
            async with slot.shared(HERE, 1):
                measuring = asyncio.create_task(measure())
                await asyncio.sleep(0.1)
            await asyncio.sleep(0.1)
            order.append("answered")
        await measuring

    asyncio.run(story())
    assert order == ["answered", "measured"]


def test_a_stream_of_questions_does_not_put_a_measurement_off(slot: Slot) -> None:
    async def questions(name: int, until: asyncio.Event) -> None:
        while not until.is_set():
            try:
                async with slot.shared(HERE, 0.01):
                    await asyncio.sleep(0.03 + name / 100)
            except Unavailable:
                continue

    async def story() -> float:
        measured = asyncio.Event()
        asking = [asyncio.create_task(questions(name, measured)) for name in range(4)]
        await asyncio.sleep(0.05)
        began = time.monotonic()
        async with slot.exclusive(HERE):
            waited = time.monotonic() - began
            measured.set()
        await asyncio.gather(*asking)
        return waited

    assert asyncio.run(story()) < 2


def test_many_measurements_wait_and_are_served_in_their_order(database: Database, slot: Slot) -> None:
    served: list[int] = []

    async def measure(number: int) -> None:
        async with slot.exclusive(HERE):
            served.append(number)

    async def story() -> None:
        waiting = []
        async with slot.exclusive(HERE):
            for number in range(12):
                waiting.append(asyncio.create_task(measure(number)))
                while await asyncio.to_thread(waiters, database) <= number:
                    await asyncio.sleep(0.01)
        await asyncio.gather(*waiting)

    asyncio.run(story())
    assert served == list(range(12))


def waiters(database: Database) -> int:
    """Connections of this database that wait for a lock."""
    with database.begin() as db:
        query = "SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'"
        return int(db.connection().exec_driver_sql(query).scalar_one())


def test_measurements_in_one_place_wait_for_each_other_and_elsewhere_do_not(slot: Slot, other_process: Slot) -> None:
    order: list[str] = []

    async def measure(evaluator: Slot, place: str, name: str) -> None:
        async with evaluator.exclusive(place):
            order.append(f"{name} begins")
            await asyncio.sleep(0.1)
            order.append(f"{name} ends")

    async def story(place: str) -> list[str]:
        order.clear()
        await asyncio.gather(measure(slot, HERE, "a"), measure(other_process, place, "b"))
        return [line.split()[1] for line in order]

    assert asyncio.run(story(HERE)) == ["begins", "ends", "begins", "ends"]
    assert asyncio.run(story(ELSEWHERE)) == ["begins", "begins", "ends", "ends"]


@pytest.mark.parametrize("what", ["measurement", "answer"])
def test_what_a_killed_evaluator_held_is_free_at_once(database: Database, slot: Slot, what: str) -> None:
    command = [sys.executable, "-c", HOLDER, database.url, what]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env={"PYTHONPATH": "shared:."}) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"in\n"

        async def story() -> float:
            waiting = asyncio.create_task(asyncio.wait_for(anext(entered()), 20))
            while not await asyncio.to_thread(waiters, database):
                await asyncio.sleep(0.01)
            holder.send_signal(signal.SIGKILL)
            began = time.monotonic()
            await waiting
            return time.monotonic() - began

        async def entered():  # type: ignore[no-untyped-def]
            async with slot.exclusive(HERE):
                yield

        assert asyncio.run(story()) < 1


def test_a_measurement_whose_lock_was_lost_under_way_is_not_trusted(database: Database, slot: Slot) -> None:
    async def story() -> None:
        async with slot.exclusive(HERE):
            await asyncio.to_thread(cut, database.url)

    with pytest.raises(PlatformFailure, match="numbers are not trusted"):
        asyncio.run(story())


def test_a_block_that_fails_fails_with_its_own_error_and_lets_go(database: Database, slot: Slot) -> None:
    async def story() -> None:
        async with slot.exclusive(HERE):
            await asyncio.to_thread(cut, database.url)
            raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        asyncio.run(story())


def test_questions_go_on_after_their_connection_was_lost(database: Database, slot: Slot) -> None:
    async def story() -> None:
        async with slot.shared(HERE, 1):
            await asyncio.to_thread(cut, database.url)
        async with slot.shared(HERE, 1), slot.shared(HERE, 1):
            assert await asyncio.to_thread(is_taken, database)

    asyncio.run(story())
    wait_until(lambda: not is_taken(database))


def is_taken(database: Database) -> bool:
    """Whether somebody is in the slot."""
    with database.begin() as db:
        return is_held(db, f"slot at {HERE}")


def test_a_question_given_up_while_it_waits_holds_nothing(database: Database, slot: Slot) -> None:
    async def ask() -> None:
        async with slot.shared(HERE, 10):
            await asyncio.sleep(10)

    async def story() -> None:
        for delay_s in (0.0, 0.0, 0.001, 0.002, 0.005, 0.05):
            asking = asyncio.create_task(ask())
            await asyncio.sleep(delay_s)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    asyncio.run(story())
    wait_until(lambda: not is_taken(database))


def test_a_measurement_given_up_while_it_waits_holds_nothing(database: Database, slot: Slot) -> None:
    async def measure() -> None:
        async with slot.exclusive(HERE):
            pytest.fail("beside another")

    async def story() -> None:
        async with slot.exclusive(HERE):
            waiting = asyncio.create_task(measure())
            while not await asyncio.to_thread(waiters, database):
                await asyncio.sleep(0.01)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        async with slot.exclusive(HERE):
            pass

    asyncio.run(story())


def test_waiting_takes_no_thread_that_others_need_and_leaves_the_event_loop_free(slot: Slot) -> None:
    async def ask() -> bool:
        try:
            async with slot.shared(HERE, 0.5):
                return True
        except Unavailable:
            return False

    async def story() -> tuple[list[bool], float, int]:
        async with slot.exclusive(HERE):
            before = threading.active_count()
            asking = [asyncio.create_task(ask()) for _ in range(100)]
            longest = 0.0
            while not all(task.done() for task in asking):
                began = time.monotonic()
                await asyncio.sleep(0.01)
                longest = max(longest, time.monotonic() - began)
            return [task.result() for task in asking], longest, threading.active_count() - before

    answers, longest, threads = asyncio.run(story())
    assert not any(answers)
    assert longest < 0.5
    assert threads <= 1


def test_a_question_pays_little(slot: Slot) -> None:
    async def story() -> list[float]:
        taken = []
        for _ in range(50):
            began = time.perf_counter()
            async with slot.shared(HERE, 1):
                taken.append(time.perf_counter() - began)
        return taken

    assert statistics.median(asyncio.run(story())) < 0.005


def test_a_database_that_is_gone_is_the_platforms_fault() -> None:
    slot = Slot(Database("postgresql://nobody@127.0.0.1:1/none"))

    async def measure() -> None:
        async with slot.exclusive(HERE):
            pytest.fail("without a lock")

    async def ask() -> None:
        async with slot.shared(HERE, 1):
            pytest.fail("without a lock")

    with pytest.raises(PlatformFailure):
        asyncio.run(measure())
    with pytest.raises(Unavailable):
        asyncio.run(ask())
    slot.close()


MEASURER = """
import asyncio, sys, time
from dynaboard.database import Database
from services.evaluator.slot import Slot

async def measure():
    slot = Slot(Database(sys.argv[1]))
    for _ in range(25):
        async with slot.exclusive("machine-1"):
            began = time.monotonic()
            await asyncio.sleep(0.01)
            print(began, time.monotonic(), flush=True)

asyncio.run(measure())
"""


def test_measurements_of_two_evaluators_of_one_machine_never_overlap(database: Database) -> None:
    command = [sys.executable, "-c", MEASURER, database.url]
    environment = {"PYTHONPATH": "shared:."}
    started = [
        subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True) for _ in range(2)
    ]
    printed = [process.communicate(timeout=60)[0] for process in started]
    spans = [tuple(map(float, line.split())) for text in printed for line in text.splitlines()]
    assert len(spans) == 50
    # The clock is the machine's, the same for both.
    assert all(earlier[1] <= later[0] for earlier, later in itertools.pairwise(sorted(spans)))
