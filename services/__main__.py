"""`python -m services` runs all four services and, unless the settings name others, PostgreSQL and S3.

`python -m services gateway` runs one of them; `python -m services migrate` brings the database to the newest tables,
and `python -m services await-migrations` ends when somebody has.
"""

import argparse
import asyncio
import contextlib
import fcntl
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from dynaboard import embedded, logs, migrate
from dynaboard.bundle.signature import new_signing_key
from dynaboard.settings import Settings
from dynaboard.storage import make_storage
from services.gateway.settings import GatewaySettings
from services.scoring.settings import ScoringSettings
from services.serving import Server, serve

LOG = logging.getLogger("services")
SERVICES = ("upload", "evaluator", "scoring", "gateway")
# What needs the database and nothing else.
VERBS: Mapping[str, Callable[[str], None]] = {
    "migrate": migrate.upgrade_when_up,
    "await-migrations": migrate.await_newest,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line names until SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m services", description=__doc__)
    known = f"any of {', '.join(SERVICES)}, or one of {', '.join(VERBS)}; none: all"
    parser.add_argument("names", nargs="*", metavar="service", help=known)
    names = parser.parse_args(arguments).names
    unknown = set(names) - set(SERVICES) - set(VERBS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; choose from {', '.join([*SERVICES, *VERBS])}")
    settings = Settings()
    logs.configure(settings.log_level)
    try:
        with contextlib.ExitStack() as stack:
            if len(names) == 1 and names[0] in VERBS:
                VERBS[names[0]](settings.database_url or _embedded_database(settings, stack))
                return
            shared = _backing(settings, stack)
            if not names:
                migrate.upgrade(shared["database_url"])
            # The gateway alone has no business with the object store.
            if names != ["gateway"]:
                make_storage(Settings(**shared)).create_bucket()
            # Not asyncio.run, which joins the threads of jobs: they cannot be interrupted, and others take their jobs.
            asyncio.new_event_loop().run_until_complete(_serve(names or list(SERVICES), shared))
    except RuntimeError as error:
        sys.exit(f"dynaboard: {error}")
    sys.stderr.flush()
    os._exit(0)


def _backing(settings: Settings, stack: contextlib.ExitStack) -> dict[str, Any]:
    """Start what the settings do not name; the settings all services share, complete."""
    # Unless told one, each service has a port of its own.
    shared = settings.model_dump(exclude=set() if "port" in settings.model_fields_set else {"port"})
    if not (settings.database_url and settings.s3_url and settings.internal_token):
        stack.enter_context(_only_one(settings.data_dir))
    if not settings.database_url:
        shared["database_url"] = stack.enter_context(embedded.postgres(settings.data_dir, _give_up))
    if not settings.s3_url:
        address = stack.enter_context(embedded.s3(settings.data_dir, _give_up))
        shared |= {"s3_url": address.url, "s3_access_key": address.access_key, "s3_secret_key": address.secret_key}
    if not settings.internal_token:
        shared["internal_token"] = embedded.read_or_make_secret(settings.data_dir / "secrets" / "internal")
    return shared


def _embedded_database(settings: Settings, stack: contextlib.ExitStack) -> str:
    """The address of the embedded PostgreSQL, started alone."""
    stack.enter_context(_only_one(settings.data_dir))
    return stack.enter_context(embedded.postgres(settings.data_dir, _give_up))


def _give_up(reason: str) -> None:
    """Without its database or store nothing works: end at once, as after `kill -9`; the next start resumes all jobs."""
    LOG.critical("%s; ending, nothing is lost: start again", reason)
    sys.stderr.flush()
    os._exit(1)


@contextlib.contextmanager
def _only_one(data_dir: Path) -> Iterator[None]:
    """Hold the data folder for this process alone. Raises RuntimeError when another one holds it."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"another process runs on {data_dir}; stop it or set DYNABOARD_DATA_DIR") from None
        yield


async def _serve(names: Sequence[str], shared: dict[str, Any]) -> None:
    """Run the services in this event loop until a signal asks them to end."""
    sockets = _listen(names, shared)
    upstreams = {f"{name}_url": _url(opened) for name, opened in sockets.items() if name != "gateway"}
    values = shared | (upstreams if len(names) > 1 else {})
    servers = [Server(_make_app(name, values), opened, shared["finish_s"]) for name, opened in sockets.items()]
    LOG.info("listening: %s", ", ".join(f"{name} {_url(opened)}" for name, opened in sockets.items()))
    await serve(servers, Settings(**shared))


def _listen(names: Sequence[str], shared: dict[str, Any]) -> dict[str, socket.socket]:
    """Sockets for the services: the port of the settings for one alone and for the gateway, else a free one."""
    sockets = {}
    for name in names:
        port = _settings(name, shared).port if len(names) == 1 or name == "gateway" else 0
        # Named TCP, or asyncio leaves Nagle's algorithm on, and a body waits 40 ms for its headers to be acknowledged.
        sockets[name] = socket.socket(proto=socket.IPPROTO_TCP)
        sockets[name].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # What the gateway passes on to, and nobody else asks, stays on this machine.
        host = shared["host"] if len(names) == 1 or name == "gateway" else "127.0.0.1"
        try:
            sockets[name].bind((host, port))
        except OSError as error:
            raise RuntimeError(f"port {port} is taken; set DYNABOARD_PORT to a free one ({error.strerror})") from error
    return sockets


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://{host}:{port}"


def _settings(name: str, values: dict[str, Any]) -> Settings:
    """A service's settings: the environment, completed by what was started here."""
    module = import_module(f"services.{name}.settings")
    settings_class: type[Settings] = getattr(module, f"{name.capitalize()}Settings")
    known = settings_class.model_fields.keys()
    return settings_class(**{key: value for key, value in values.items() if key in known})


def _make_app(name: str, values: dict[str, Any]) -> FastAPI:
    settings = _settings(name, values)
    if isinstance(settings, GatewaySettings):
        secrets = settings.data_dir / "secrets"
        update = {
            "admin_key": settings.admin_key or embedded.read_or_make_secret(secrets / "admin-key"),
            "telemetry_token": settings.telemetry_token or embedded.read_or_make_secret(secrets / "telemetry-token"),
        }
        settings = settings.model_copy(update=update)
    if isinstance(settings, ScoringSettings) and not settings.signing_key:
        key = embedded.read_or_make_secret(settings.data_dir / "secrets" / "signing-key.pem", new_signing_key)
        settings = settings.model_copy(update={"signing_key": key})
    app: FastAPI = import_module(f"services.{name}.app").create_app(settings)
    return app


if __name__ == "__main__":
    main()
