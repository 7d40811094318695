"""Nothing a process started under a guardian outlives it, however it ends."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from dynaboard import guardian

# Starts a guarded shell that starts a sleeper, writes the sleeper's pid, and then waits to be killed.
PARENT = """
import subprocess, sys, time
from dynaboard import guardian
command = guardian.command(["sh", "-c", "sleep 600 & echo $! > {pid_file}; wait"], grace_s=1)
process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
time.sleep(600)
"""


def eventually(condition: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_kill_9_of_the_parent_ends_the_child_and_its_children(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", PARENT.format(pid_file=pid_file)]) as parent:
        assert eventually(lambda: pid_file.exists() and pid_file.read_text().strip() != "")
        sleeper = int(pid_file.read_text())
        parent.kill()
    assert eventually(lambda: gone(sleeper))


def test_closing_the_pipe_stops_a_child_that_ignores_the_polite_signal(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    stubborn = ["sh", "-c", f"trap '' TERM; echo $$ > {pid_file}; while true; do sleep 0.1; done"]
    with subprocess.Popen(guardian.command(stubborn, grace_s=0.2), stdin=subprocess.PIPE) as process:
        assert eventually(lambda: pid_file.exists() and pid_file.read_text().strip() != "")
        assert process.stdin
        process.stdin.close()
        assert process.wait(timeout=10) == 128 + 9
    assert eventually(lambda: gone(int(pid_file.read_text())))


def test_the_childs_exit_status_is_the_guardians() -> None:
    with subprocess.Popen(guardian.command(["sh", "-c", "exit 7"]), stdin=subprocess.PIPE) as process:
        assert process.wait(timeout=10) == 7
