"""A model server from start to stop, and what is left when its owner is killed."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dynaboard.errors import ModelFailure, PlatformFailure
from dynaboard.runtime import start_server
from tests.runtime.conftest import LIMITS, Start, predict, statements, write_handler

HONEST = """
    class Handler:
        def load(self, model_dir):
            print("loaded from", model_dir)

        def predict(self, examples):
            return [{"id": e["id"], "label": "positive"} for e in reversed(examples)]
"""
# Starts a server, tells its processes and then does nothing until it is killed.
OWNER = """
import sys, time
from pathlib import Path
from dynaboard.runtime import Limits, start_server
from dynaboard.runtime.processes import descendants
import os
server = start_server(Path(sys.argv[1]), "handler.py:Handler", Path(sys.argv[2]), Limits())
server.wait_ready()
print(*descendants(os.getpid()), flush=True)
time.sleep(600)
"""


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until_none_runs(pids: list[int], seconds: float) -> list[int]:
    """The processes that still run after so many seconds."""
    deadline = time.monotonic() + seconds
    while any(map(runs, pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [pid for pid in pids if runs(pid)]


def test_a_server_starts_answers_and_stops_without_a_trace(start: Start) -> None:
    server = start(HONEST)
    assert 0 < server.wait_ready() < 30
    assert server.wait_ready() == server.cold_start_s
    assert [answer.id for answer in predict(server, statements("a", "b"))] == ["s1", "s2"]
    workers = server.worker_pids()
    assert len(workers) == 1
    server.stop()
    server.stop()
    assert not server.alive()
    assert wait_until_none_runs(workers, 0) == []
    assert server.log_path.read_text().endswith("loaded from /model\n") or server.sandbox == "limits"
    server.discard()
    assert not server.run_dir.exists()


def test_killing_the_owner_leaves_no_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("owner")
    command = [sys.executable, "-c", OWNER, str(write_handler(folder / "model", HONEST)), str(folder / "run")]
    path = str(Path(start_server.__code__.co_filename).parents[2])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": path}) as owner:
        assert owner.stdout
        started = [int(pid) for pid in owner.stdout.readline().split()]
        assert len(started) >= 3  # guardian, Java, worker
        owner.kill()
    assert wait_until_none_runs(started, 10) == []


def test_a_server_that_dies_under_way_is_our_failure(start: Start) -> None:
    server = start(HONEST)
    server.wait_ready()
    server.stop()
    with pytest.raises(PlatformFailure):
        predict(server, statements("a"))


def test_an_interpreter_that_does_not_exist_is_our_failure(tmp_path: Path) -> None:
    model = write_handler(tmp_path / "model", HONEST)
    with pytest.raises(PlatformFailure, match="does not start"):
        start_server(model, "handler.py:Handler", tmp_path / "run", LIMITS, tmp_path / "no-python")


def test_a_handler_file_that_does_not_exist_is_the_authors_failure(tmp_path: Path) -> None:
    model = write_handler(tmp_path / "model", HONEST)
    server = start_server(model, "modell.py:Handler", tmp_path / "run", LIMITS)
    with pytest.raises(ModelFailure, match=r"importing modell\.py raised FileNotFoundError"):
        server.wait_ready()
