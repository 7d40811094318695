"""The upload service on a real port, over a real database and S3, with small parts."""

import io
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from dynaboard.client.upload import upload_archive
from dynaboard.database import Database
from dynaboard.identity import Role
from dynaboard.storage import Storage
from services.upload.app import create_app
from services.upload.settings import UploadSettings
from tests.serving import serving as serving_app

PART = 64 * 1024
HANDLER = b"class Handler:\n    def load(self, model_dir): ...\n    def predict(self, examples): ...\n"


def make_archive(task: str = "nli", weights: int = 0, files: dict[str, bytes] | None = None) -> bytes:
    """A good archive, with so many bytes of incompressible weights; `files` replaces or adds to its files."""
    contents = {
        "dynaboard.yaml": f"name: tiny\ntask: {task}\nhandler: handler.py:Handler\n"
        "card: {summary: small, licence: MIT}\n".encode(),
        "handler.py": HANDLER,
        "weights.bin": b"".join(sha256(bytes([block % 256])).digest() for block in range(weights // 32)),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        for name, body in (contents | (files or {})).items():
            target.writestr(name, body)
    return file.getvalue()


def serving(settings: UploadSettings) -> AbstractContextManager[str]:
    """The service on a free port while the block lasts; its address."""
    return serving_app(create_app(settings))


@dataclass(frozen=True)
class User:
    """Somebody who submits, as the gateway passes them on."""

    http: httpx.Client
    folder: Path

    def announce(self, size: int, task: str = "nli", name: str = "tiny", **more: Any) -> httpx.Response:
        """POST /submissions."""
        return self.http.post("submissions", json={"task": task, "name": name, "size": size, **more})

    def submit(self, archive: bytes, **more: Any) -> dict[str, Any]:
        """Announce, upload and complete; the submission as it then stands. Raises what the client raises."""
        created = self.announce(len(archive), **more)
        assert created.status_code == 201, created.text
        (self.folder / "model.zip").write_bytes(archive)
        return upload_archive(self.http, created.json()["id"], self.folder / "model.zip").model_dump()

    def put(self, submission_id: str, number: int, data: bytes, **headers: str) -> httpx.Response:
        """PUT one part."""
        return self.http.put(f"submissions/{submission_id}/parts/{number}", content=data, headers=headers)

    def complete(self, submission_id: str, archive: bytes) -> httpx.Response:
        """POST complete."""
        return self.http.post(f"submissions/{submission_id}/complete", json={"sha256": sha256(archive).hexdigest()})

    def get(self, path: str) -> httpx.Response:
        """GET."""
        return self.http.get(path)


@pytest.fixture
def settings(platform: dict[str, Any], storage: Storage) -> UploadSettings:
    """Small parts and a small quota."""
    return UploadSettings(**platform, part_bytes=PART, daily_quota=3, max_archive_bytes=10 * 1024**2)


@pytest.fixture
def address(settings: UploadSettings, database: Database) -> Iterator[str]:
    """The running service."""
    with serving(settings) as url:
        yield url


@pytest.fixture
def user(address: str, as_caller: Callable[..., dict[str, str]], tmp_path: Path) -> Iterator[Callable[..., User]]:
    """Users by name: user("ada"), user("root", Role.ADMIN)."""
    opened: list[httpx.Client] = []

    def make(name: str, role: Role = Role.SUBMITTER) -> User:
        client = httpx.Client(base_url=address, headers=as_caller(name, role), timeout=30)
        opened.append(client)
        return User(client, tmp_path)

    yield make
    for client in opened:
        client.close()


@pytest.fixture
def ada(user: Callable[..., User]) -> User:
    """A submitter."""
    return user("ada")


@pytest.fixture
def bob(user: Callable[..., User]) -> User:
    """Another submitter."""
    return user("bob")


@pytest.fixture
def wait_until() -> Callable[[Callable[[], bool]], None]:
    """Poll until a condition holds, ten seconds at most."""

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 10
        while not condition():
            assert time.monotonic() < deadline, "it did not happen within ten seconds"
            time.sleep(0.02)

    return wait
