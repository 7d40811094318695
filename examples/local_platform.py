"""The whole platform on this machine for as long as a block lasts: `python -m services` under a guardian."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from dynaboard import guardian
from dynaboard.embedded import Guarded, start_guarded
from dynaboard.errors import PlatformFailure

START_TIMEOUT_S = 90.0


@dataclass(frozen=True)
class LocalPlatform:
    """Where it answers, and its administrator's API key."""

    url: str
    key: str
    log: Path


@contextmanager
def local_platform(data_dir: Path, port: int) -> Iterator[LocalPlatform]:
    """Start the platform on `data_dir`; it ends with the block, or with this process. Raises PlatformFailure."""
    data_dir = data_dir.absolute()
    data_dir.mkdir(parents=True, exist_ok=True)
    log = data_dir / "services.log"
    log.unlink(missing_ok=True)
    environment = {"DYNABOARD_DATA_DIR": str(data_dir), "DYNABOARD_PORT": str(port)}
    server = start_guarded(guardian.command([sys.executable, "-m", "services"], grace_s=30), log, environment)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait(server, url, log)
        yield LocalPlatform(url, _admin_key(data_dir), log)
    finally:
        server.stop()


def _admin_key(data_dir: Path) -> str:
    return os.environ.get("DYNABOARD_ADMIN_KEY") or (data_dir / "secrets" / "admin-key").read_text().strip()


def _wait(server: Guarded, url: str, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _ready(url):
        if server.process.poll() is not None:
            raise PlatformFailure(f"The platform did not start: {_last_line(log)} (whole log: {log})")
        if time.monotonic() > deadline:
            raise PlatformFailure(f"The platform was not ready within {START_TIMEOUT_S:g} s; its log is {log}")
        time.sleep(0.1)


def _ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/readyz", timeout=2).is_success
    except httpx.TransportError:
        return False


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
