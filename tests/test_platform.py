"""The whole way, as a user goes it: `python -m services` as a program of its own, driven by the `dynaboard` command."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from dynaboard.embedded import S3Address, free_port
from dynaboard.nlp_tasks import TASKS
from examples.local_platform import LocalPlatform, local_platform

ROOT = Path(__file__).parents[1]
ROWS = [
    {"id": "1", "statement": "A lovely, warm and funny film.", "label": "positive"},
    {"id": "2", "statement": "The soup was cold and the waiter rude.", "label": "negative"},
    {"id": "3", "statement": "The train leaves at nine.", "label": "neutral"},
    {"id": "4", "statement": "I would go back tomorrow!", "label": "positive"},
]


@pytest.fixture(scope="module")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalPlatform]:
    """The running platform, as one process with its PostgreSQL and S3."""
    with local_platform(tmp_path_factory.mktemp("platform"), free_port()) as running:
        yield running


@pytest.fixture(scope="module")
def dynaboard(platform: LocalPlatform, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Run the command line against the platform; gives the JSON it printed."""
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {
        "DYNABOARD_URL": platform.url,
        "DYNABOARD_KEY": platform.key,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_STATE_HOME": str(home),
    }

    def run(*arguments: str) -> Any:
        command = [sys.executable, "-m", "dynaboard.cli", *arguments, "--json"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()][-1]

    return run


def test_a_model_goes_from_an_empty_folder_to_the_leaderboard(
    dynaboard: Callable[..., Any], platform: LocalPlatform, tmp_path: Path
) -> None:
    file = tmp_path / "weather.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    described = ["--task", "sentiment", "--name", "tiny", "--role", "scoring"]
    dynaboard("datasets", "add", str(file), *described, "--licence", "CC0-1.0", "--citation", "This test.")

    folder = tmp_path / "my-model"
    dynaboard("init", str(folder), "--task", "sentiment", "--framework", "plain")
    submitted = dynaboard("submit", str(folder), "--publish", "--no-follow")
    followed = dynaboard("status", submitted["id"], "--follow")
    board = dynaboard("leaderboard", "sentiment")

    assert followed["status"] == "finished"
    (row,) = board["rows"]
    assert (row["name"], row["rank"]) == ("my-model", 1)
    assert {"performance", "throughput", "memory"} <= {name for name, cell in row["metrics"].items() if cell}
    assert row["metrics"]["performance"]["n"] == len(ROWS)
    assert row["datasets"][0]["cells"]["throughput"]["flags"] != []  # a quick measurement says so
    page = httpx.get(f"{platform.url}/plain")
    assert "my-model" in page.text


def test_anyone_may_talk_to_a_published_model(dynaboard: Callable[..., Any]) -> None:
    (model,) = [model for model in dynaboard("models", "list") if model["name"] == "my-model"]
    submission = model["versions"][0]["id"]
    asked = dynaboard("predict", submission, "--statement", "What a day!")
    assert asked["answers"][0]["label"] in {"positive", "negative", "neutral"}


def test_kill_9_leaves_nothing_running_and_a_restart_finds_its_data(tmp_path: Path) -> None:
    data_dir, port = tmp_path / "data", free_port()
    with local_platform(data_dir, port) as platform:
        created = httpx.post(
            f"{platform.url}/api/v1/users",
            headers={"Authorization": f"Bearer {platform.key}"},
            json={"name": "ada", "role": "reader"},
        )
        assert created.status_code in {200, 201}, created.text
        started = [process for process in psutil.process_iter() if _belongs(process, data_dir)]
        services = next(process for process in started if _is_services(process))
        os.kill(services.pid, signal.SIGKILL)
        _, alive = psutil.wait_procs(started, timeout=20)
        assert [process.cmdline() for process in alive] == []
    with local_platform(data_dir, port) as platform:
        again = httpx.get(f"{platform.url}/api/v1/users", headers={"Authorization": f"Bearer {platform.key}"})
        assert "ada" in {user["name"] for user in again.json()}


def test_a_postgres_and_an_s3_of_ones_own_replace_the_embedded_ones(
    database_url: str, s3_address: S3Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = {
        "DYNABOARD_DATABASE_URL": database_url,
        "DYNABOARD_S3_URL": s3_address.url,
        "DYNABOARD_S3_ACCESS_KEY": s3_address.access_key,
        "DYNABOARD_S3_SECRET_KEY": s3_address.secret_key,
        "DYNABOARD_S3_BUCKET": "of-ones-own",
    }
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    with local_platform(tmp_path / "data", free_port()) as platform:
        tasks = httpx.get(f"{platform.url}/api/v1/tasks").json()
        assert {task["name"] for task in tasks} == set(TASKS)
        assert not (tmp_path / "data" / "postgres").exists()
        assert not (tmp_path / "data" / "s3").exists()


def test_a_second_platform_on_the_same_data_is_refused_with_a_sentence(platform: LocalPlatform) -> None:
    environment = os.environ | {"DYNABOARD_DATA_DIR": str(platform.log.parent), "DYNABOARD_PORT": str(free_port())}
    command = [sys.executable, "-m", "services"]
    second = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=False)
    assert second.returncode == 1
    assert "another process runs on" in second.stderr


def test_ctrl_c_ends_everything_in_seconds(tmp_path: Path) -> None:
    data_dir, port = tmp_path / "data", free_port()
    environment = os.environ | {"DYNABOARD_DATA_DIR": str(data_dir), "DYNABOARD_PORT": str(port)}
    with subprocess.Popen([sys.executable, "-m", "services"], env=environment, stderr=subprocess.DEVNULL) as process:
        _wait_until_ready(port)
        started = [found for found in psutil.process_iter() if _belongs(found, data_dir)]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=15) == 0
    _, alive = psutil.wait_procs(started, timeout=10)
    assert [found.cmdline() for found in alive] == []


def _wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail("the platform was not ready within a minute")


def _belongs(process: psutil.Process, data_dir: Path) -> bool:
    """Whether a process was started for this data folder: it names it, or its environment does."""
    try:
        named = str(data_dir) in " ".join(process.cmdline())
        return named or process.environ().get("DYNABOARD_DATA_DIR") == str(data_dir)
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False


def _is_services(process: psutil.Process) -> bool:
    return process.cmdline()[1:3] == ["-m", "services"]
