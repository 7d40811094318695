"""Samples a control group, version 1 or 2: the kernel's own account, which no short-lived process escapes.

A group may hold more than the model: what the processes of `apart` (the model server's Java) use is taken off.
"""

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from dynaboard.measurement.samplers.footprint import footprint
from dynaboard.measurement.samplers.sample import MemoryUse


class Version1:
    """The memory controller of cgroup v1."""

    name = "cgroup-v1"
    _STAT = ("total_rss", "total_shmem")

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def members(self) -> set[int]:
        """The processes in it, those of groups below included."""
        return _members(self._folder)

    def used(self) -> int:
        """Anonymous and shared memory."""
        return _stat(self._folder, self._STAT)

    def charged(self) -> int:
        """All memory, that of files and of the kernel too."""
        return int((self._folder / "memory.usage_in_bytes").read_text())

    def most_charged(self) -> int | None:
        """The most since the last reset."""
        return int((self._folder / "memory.max_usage_in_bytes").read_text())

    def reset(self) -> bool:
        """Start the mark afresh; False where it cannot be."""
        try:
            (self._folder / "memory.max_usage_in_bytes").write_text("0")
        except OSError:
            return False
        return True

    def killed(self) -> int:
        """How many processes the kernel killed for want of memory."""
        return _named(self._folder / "memory.oom_control", "oom_kill")

    def close(self) -> None:
        """Nothing is kept open."""


class Version2:
    """The memory controller of cgroup v2. Its mark can be reset since Linux 6.12, for whoever holds it open."""

    name = "cgroup-v2"
    _STAT = ("anon", "shmem")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mark: int | None = None

    def members(self) -> set[int]:
        """The processes in it, those of groups below included."""
        return _members(self._folder)

    def used(self) -> int:
        """Anonymous and shared memory."""
        return _stat(self._folder, self._STAT)

    def charged(self) -> int:
        """All memory, that of files and of the kernel too."""
        return int((self._folder / "memory.current").read_text())

    def most_charged(self) -> int | None:
        """The most since the last reset; None where it was never reset."""
        return None if self._mark is None else int(os.pread(self._mark, 64, 0))

    def reset(self) -> bool:
        """Start our mark afresh; False on a kernel that cannot."""
        try:
            if self._mark is None:
                self._mark = os.open(self._folder / "memory.peak", os.O_RDWR)
            os.pwrite(self._mark, b"reset\n", 0)
        except OSError:
            self.close()
            return False
        return True

    def killed(self) -> int:
        """How many processes the kernel killed for want of memory."""
        return _named(self._folder / "memory.events", "oom_kill")

    def close(self) -> None:
        """Let go of the mark."""
        if self._mark is not None:
            os.close(self._mark)
        self._mark = None


def _stat(folder: Path, fields: Sequence[str]) -> int:
    lines = (line.split() for line in (folder / "memory.stat").read_text().splitlines())
    return sum(int(words[1]) for words in lines if words[0] in fields)


def _named(file: Path, name: str) -> int:
    """A count in a file of lines "name number"; 0 where the kernel does not keep it."""
    try:
        words = [line.split() for line in file.read_text().splitlines()]
    except OSError:
        return 0
    return next((int(pair[1]) for pair in words if pair[0] == name), 0)


def _members(folder: Path) -> set[int]:
    return {int(pid) for file in folder.rglob("cgroup.procs") for pid in file.read_text().split()}


class ControlGroup:
    """Samples a control group, less the processes that `apart` lists."""

    def __init__(self, group: Version1 | Version2, apart: Callable[[], Sequence[int]] | None = None) -> None:
        self.name = group.name
        self._group = group
        self._apart = apart
        self._forget()

    def _forget(self) -> None:
        self._started = time.perf_counter()
        self._samples: list[tuple[float, int]] = []
        self._server_sizes: list[int] = []
        self._beside: int | None = None
        self._peak = 0
        # Whether the mark is of this run: where it cannot be reset, as in a container, it is of the group's whole life.
        self._marked = False

    def begin(self) -> None:
        """Reset the mark and take the first sample."""
        self._forget()
        self._marked = self._group.reset()
        self.take()

    def take(self) -> None:
        """Read the group once, and its mark since the sample before."""
        server = sum(seen.used for pid in (self._apart() if self._apart else ()) if (seen := footprint(pid)))
        used = max(self._group.used() - server, 0)
        beside = max(self._group.charged() - used, 0)
        self._samples.append((time.perf_counter() - self._started, used))
        self._server_sizes.append(server)
        most = self._group.most_charged() if self._marked else None
        # The mark holds what is not memory by our definition: the less of it at both ends of the period is taken off.
        less = beside if self._beside is None else min(beside, self._beside)
        self._peak = max(self._peak, used, 0 if most is None else most - less)
        self._beside = beside
        self._marked = self._marked and most is not None and self._group.reset()

    def end(self) -> MemoryUse:
        """The run, its last moment included."""
        with contextlib.closing(self._group):
            self.take()
        sizes = self._server_sizes
        return MemoryUse(
            sampler=self.name,
            samples=tuple(self._samples),
            peak=self._peak,
            peak_source="kernel" if self._marked else "samples",
            server=sum(sizes) / len(sizes) if self._apart else None,
        )


def group_of(pid: int, mounts: Path = Path("/proc/self/mountinfo")) -> Version1 | Version2 | None:
    """The control group that accounts for a process's memory; None where there is none, or only the machine's root.

    A machine may mount both versions; the memory controller is in one of them. In a container what is mounted may be
    the container's own group rather than the root, under the names that the machine has for it.
    """
    try:
        lines = Path(f"/proc/{pid}/cgroup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return None
    memberships = {controllers: path for _, controllers, path in (line.split(":", 2) for line in lines)}
    mounted = [_mount(line) for line in mounts.read_text().splitlines()]
    for kind, root, point, options in mounted:
        if kind == "cgroup" and "memory" in options.split(","):
            path = next((path for names, path in memberships.items() if "memory" in names.split(",")), "/")
            return Version1(_within(point, root, path)) if path != "/" else None
    for kind, root, point, _ in mounted:
        folder = _within(point, root, memberships.get("", "/"))
        if kind == "cgroup2" and (folder / "memory.current").exists():  # the machine's root group has none
            return Version2(folder)
    return None


def _mount(line: str) -> tuple[str, str, str, str]:
    """(kind, root within the file system, mount point, options of the file system) of a line of mountinfo."""
    here, _, system = line.partition(" - ")
    root, point = here.split()[3:5]
    kind, _, options = (*system.split(" ", 2), "", "")[:3]
    return kind, root, point, options


def _within(point: str, root: str, path: str) -> Path:
    """Where a group lies below a mount of the tree from `root` on."""
    below = path.removeprefix(root.rstrip("/")) if path.startswith(root) else path
    return Path(point) / below.lstrip("/")
