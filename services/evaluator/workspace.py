"""Folders in which models run, each locked while its evaluator lives: a killed one's can be told and removed."""

import fcntl
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True)
class Workspace:
    """One locked folder. The lock is the kernel's: it ends with this process, `kill -9` included."""

    folder: Path
    _lock: int

    @classmethod
    def make(cls, runs: Path, name: str) -> Self:
        """A new folder below `runs` whose name starts with `name`."""
        folder = runs / f"{name[:12]}-{secrets.token_hex(4)}"
        folder.mkdir(parents=True)
        return cls(folder, _locked(folder))

    def remove(self) -> None:
        """Delete the folder and let go of it; call it once."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def remove_abandoned(runs: Path) -> list[str]:
    """Delete the folders below `runs` that no living process holds; return their names."""
    removed = []
    for folder in sorted(runs.iterdir()) if runs.is_dir() else []:
        try:
            lock = _locked(folder)
        except BlockingIOError:
            continue
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)
        removed.append(folder.name)
    return removed


def _locked(folder: Path) -> int:
    """A descriptor of the folder that holds its lock. Raises BlockingIOError when another holds it."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise
    return descriptor
