"""The process tree of a model server as the kernel tells it, and the memory in it (bytes)."""

import contextlib
import os
import select
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


def descendants(pid: int) -> list[int]:
    """Every live process below `pid`, parents first. Linux lists children at a tenth of a /proc scan's cost."""
    if not Path(f"/proc/self/task/{os.getpid()}/children").exists():
        return _scanned(pid)
    found = children(pid)
    for child in found:  # grows while we walk it
        found += children(child)
    return found


def _scanned(pid: int) -> list[int]:
    try:
        return [process.pid for process in psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def children(pid: int) -> list[int]:
    """The processes that any thread of a process started or adopted, by what Linux lists."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    except (FileNotFoundError, ProcessLookupError):
        pass  # it has just ended
    return found


def everybody() -> list[int]:
    """Every process that we see, ourselves too, older ones first."""
    return sorted(int(entry) for entry in os.listdir("/proc") if entry.isdigit())


def name(pid: int) -> str:
    """What a process calls itself, which anybody may see and it may change; empty when it is gone."""
    try:
        return psutil.Process(pid).name()
    except psutil.NoSuchProcess:
        return ""


def resident(pids: Iterable[int]) -> int:
    """Resident memory of these processes together. Pages they share count once for each of them."""
    return sum(map(_resident, pids))


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    except (FileNotFoundError, ProcessLookupError, NotADirectoryError):
        return 0


def spent(pids: Iterable[int]) -> float:
    """Processor seconds that these processes have used, and those of their children whose end they have seen."""
    return sum(sum(_times(pid)) for pid in pids)


def spent_by_ended(pid: int) -> float:
    """Processor seconds of the children of a process whose end it has seen."""
    return sum(_times(pid)[2:])


def _times(pid: int) -> tuple[float, ...]:
    """As user and in the kernel: its own, and its ended children's."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError, NotADirectoryError):
        return (0.0, 0.0, 0.0, 0.0)
    fields = text[text.rindex(")") + 2 :].split()  # what it calls itself may hold anything
    return tuple(int(ticks) / TICKS for ticks in fields[11:15])


def threads(pids: Iterable[int]) -> int:
    """The threads of these processes together."""
    return sum(map(_threads, pids))


def _threads(pid: int) -> int:
    try:
        return os.stat(f"/proc/{pid}/task").st_nlink - 2  # a folder for each
    except FileNotFoundError:
        return 0


def handles(pids: Iterable[int]) -> list[psutil.Process]:
    """Handles that stay with these very processes, whoever gets their numbers later; the gone are left out."""
    found: list[psutil.Process] = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(pid))
    return found


def kill(running: Iterable[psutil.Process], timeout_s: float) -> None:
    """Kill processes by force and wait until none of them runs; a zombie that nobody has reaped yet counts as gone."""
    running = list(running)
    for process in running:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            process.kill()
    deadline = time.monotonic() + timeout_s
    while any(map(runs, running)) and time.monotonic() < deadline:
        time.sleep(0.005)


def kill_all(pids: Callable[[], Iterable[int]], timeout_s: float) -> None:
    """Kill what is listed, and what is listed then, until nothing of it runs or the time is up."""
    deadline = time.monotonic() + timeout_s
    while (running := [each for each in handles(pids()) if runs(each)]) and time.monotonic() < deadline:
        kill(running, 0.1)


def await_end(pid: int) -> None:
    """Block until a process has ended, whoever its parent is; a zombie has ended."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except OSError:  # an old kernel, or a filter that does not know the call
        while any(map(runs, handles([pid]))):
            time.sleep(0.02)
        return
    try:
        select.select([descriptor], [], [])
    finally:
        os.close(descriptor)


def runs(process: psutil.Process) -> bool:
    """Whether a process does anything yet: neither gone nor a zombie."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
