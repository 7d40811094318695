"""Locks by name that all processes of an installation share: PostgreSQL's advisory locks, each on its own connection.

A lock lasts as long as its connection: it is free as soon as its holder ends, `kill -9` included, and half a minute
after the holder's machine or its network has vanished. Needs PostgreSQL 14 or newer, and a connection of its own to it,
so no pooler that shares one between transactions.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import psycopg
from sqlalchemy import text
from sqlalchemy.orm import Session

from dynaboard.errors import Conflict, PlatformFailure

CONNECT_S = 10
# Whoever waits or holds does so for hours, whatever limits the server's operator has set for others. After ten seconds
# of silence both ends ask three times, five seconds apart, whether the other still lives.
_LASTING = {
    "tcp_keepalives_idle": 10,
    "tcp_keepalives_interval": 5,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "client_connection_check_interval": 10_000,
    "idle_session_timeout": 0,
    "statement_timeout": 0,
    "lock_timeout": 0,
}
_CONNECTION: dict[str, Any] = {
    "autocommit": True,
    "application_name": "dynaboard locks",
    "connect_timeout": CONNECT_S,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
    "options": " ".join(f"-c {name}={value}" for name, value in _LASTING.items()),
}
_GRANTED = (
    "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32) | objid::bigint = {key}{whose})"
)
_MINE = _GRANTED.format(key="%s", whose=" AND pid = pg_backend_pid()")
_ANYBODYS = text(_GRANTED.format(key=":key", whose=""))


def key_of(name: str) -> int:
    """The number by which PostgreSQL knows a lock: 64 bits of the name's sha256, as a signed integer."""
    return int.from_bytes(sha256(f"dynaboard {name}".encode()).digest()[:8], signed=True)


def connect(database_url: str) -> psycopg.Connection:
    """A connection for locks, which outlives what would end an idle or waiting one. Raises psycopg.OperationalError."""
    return psycopg.connect(database_url, **_CONNECTION)


async def connect_async(database_url: str) -> psycopg.AsyncConnection:
    """The same for an event loop."""
    return await psycopg.AsyncConnection.connect(database_url, **_CONNECTION)


@dataclass(frozen=True)
class Hold:
    """A lock that this process holds until `release`, or until its connection is lost: ask `held`."""

    name: str
    connection: psycopg.Connection

    def held(self) -> bool:
        """Whether it is still ours; asks the server. A lost one never comes back: hold it anew."""
        try:
            return bool(self.connection.execute(_MINE, [key_of(self.name)]).fetchone() == (True,))
        except psycopg.OperationalError:
            return False

    def release(self) -> None:
        """Let go of it; may be called again."""
        self.connection.close()


def hold(database_url: str, name: str) -> Hold:
    """Take a lock for as long as this process lives. Raises Conflict when another has it, psycopg.OperationalError."""
    connection = connect(database_url)
    if connection.execute("SELECT pg_try_advisory_lock(%s)", [key_of(name)]).fetchone() != (True,):
        connection.close()
        raise Conflict(f"Another process holds the lock {name}.")
    return Hold(name, connection)


def is_held(db: Session, name: str) -> bool:
    """Whether a living process holds a lock, in whichever way."""
    return bool(db.scalar(_ANYBODYS, {"key": key_of(name)}))


@asynccontextmanager
async def waited_for(database_url: str, *names: str) -> AsyncIterator[psycopg.AsyncConnection]:
    """Have locks for the block, taken in this order, each after all who wait for it. Ask `still_mine` at its end.

    Raises PlatformFailure when the database is lost before the block begins.
    """
    try:
        connection = await connect_async(database_url)
    except psycopg.OperationalError as error:
        raise PlatformFailure(f"The database cannot be reached: {error}") from error
    try:
        for name in names:
            await _wait_for(connection, name)
        yield connection
    finally:
        await connection.close()


async def _wait_for(connection: psycopg.AsyncConnection, name: str) -> None:
    try:
        await connection.execute("SELECT pg_advisory_lock(%s)", [key_of(name)])
    except psycopg.OperationalError as error:
        raise PlatformFailure(f"The database was lost: {error}") from error


@asynccontextmanager
async def if_free(database_url: str, name: str) -> AsyncIterator[bool]:
    """Have a lock for the block, unless another has it: then the block gets False. Raises psycopg.OperationalError."""
    connection = await connect_async(database_url)
    try:
        found = await (await connection.execute("SELECT pg_try_advisory_lock(%s)", [key_of(name)])).fetchone()
        yield found == (True,)
    finally:
        await connection.close()


async def still_mine(connection: psycopg.AsyncConnection, name: str) -> bool:
    """Whether this connection has kept a lock that it took."""
    try:
        found = await (await connection.execute(_MINE, [key_of(name)])).fetchone()
    except psycopg.OperationalError:
        return False
    return found == (True,)
