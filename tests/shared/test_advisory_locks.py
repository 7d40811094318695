"""Locks by name: who holds one, and what ends a hold."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from dynaboard.advisory_locks import Hold, connect_async, hold, is_held, key_of, still_mine
from dynaboard.database import Database
from dynaboard.errors import Conflict
from tests.conftest import execute
from tests.evaluator.world import wait_until

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys, time
from dynaboard.advisory_locks import hold
kept = hold(sys.argv[1], "evaluator:a")
print("held", flush=True)
time.sleep(600)
"""


def held(database: Database, name: str) -> bool:
    with database.begin() as db:
        return is_held(db, name)


def cut(database_url: str) -> None:
    """End every lock's connection, as a restart of PostgreSQL would."""
    ours = "application_name = 'dynaboard locks' AND datname = current_database()"
    execute(database_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")


def test_a_lock_is_held_until_it_is_released(database_url: str, database: Database) -> None:
    assert not held(database, "evaluator:a")
    mine = hold(database_url, "evaluator:a")
    assert mine.held()
    assert held(database, "evaluator:a")
    assert not held(database, "evaluator:b")

    mine.release()
    assert not mine.held()
    wait_until(lambda: not held(database, "evaluator:a"))


def test_a_lock_has_one_holder(database_url: str) -> None:
    mine = hold(database_url, "evaluator:a")
    with pytest.raises(Conflict, match="holds the lock evaluator:a"):
        hold(database_url, "evaluator:a")
    mine.release()


def test_a_killed_holders_lock_is_free(database_url: str, database: Database) -> None:
    command = [sys.executable, "-c", HOLDER, database_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env={"PYTHONPATH": "shared:."}) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        assert held(database, "evaluator:a")
        holder.send_signal(signal.SIGKILL)
    wait_until(lambda: not held(database, "evaluator:a"))


def test_a_holder_knows_that_its_connection_is_lost(database_url: str, database: Database) -> None:
    mine = hold(database_url, "evaluator:a")
    cut(database_url)
    assert not mine.held()
    assert not held(database, "evaluator:a")
    mine.release()


def test_a_connection_that_holds_something_else_does_not_count(database_url: str) -> None:
    mine, other = hold(database_url, "evaluator:a"), hold(database_url, "evaluator:b")
    assert not Hold("evaluator:b", mine.connection).held()
    mine.release()
    other.release()


def test_an_event_loops_connection_knows_what_it_has_kept(database_url: str) -> None:
    async def story() -> list[bool]:
        connection = await connect_async(database_url)
        before = await still_mine(connection, "a")
        await connection.execute("SELECT pg_advisory_lock(%s)", [key_of("a")])
        during = await still_mine(connection, "a")
        await asyncio.to_thread(cut, database_url)
        after = await still_mine(connection, "a")
        await connection.close()
        return [before, during, after]

    assert asyncio.run(story()) == [False, True, False]


def test_a_holder_outlives_the_limits_that_the_operator_has_set_for_others(database_url: str) -> None:
    execute(database_url, f"ALTER DATABASE {database_url.rsplit('/', 1)[1]} SET statement_timeout = '1ms'")
    mine = hold(database_url, "evaluator:a")
    mine.connection.execute("SELECT pg_sleep(0.05)")
    with psycopg.connect(database_url) as other, pytest.raises(psycopg.errors.QueryCanceled):
        other.execute("SELECT pg_sleep(0.05)")
    mine.release()


def test_names_have_different_numbers() -> None:
    keys = {key_of(f"slot at node-{number}") for number in range(1000)}
    assert len(keys) == 1000
    assert all(-(2**63) <= key < 2**63 for key in keys)
    # The same in every release: evaluators of two releases may run side by side.
    assert key_of("slot at a") == 4603081704544876363
