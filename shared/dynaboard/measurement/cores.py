"""Pins models to the same processors while they are measured: what takes a processor from one takes it from the other.

Left alone, the scheduler may keep one of two models on a busy processor and the other on an idle one for seconds.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from dynaboard.runtime import ModelServer


def share(processors: set[int], threads: int) -> set[int]:
    """The last `threads` of these processors; all of them where none would be left for the harness. Pure."""
    return set(sorted(processors)[-threads:]) if len(processors) > threads else processors


@contextlib.contextmanager
def pinned(servers: Sequence[ModelServer]) -> Iterator[tuple[int, ...]]:
    """Keep the models behind these servers on the same processors for the block; yields their numbers.

    Yields none where the kernel or our rights do not allow it.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield ()
        return
    mine = os.sched_getaffinity(0)
    chosen = share(mine, max(server.limits.threads for server in servers))
    done = [_pin(server, chosen) for server in servers]
    try:
        yield tuple(sorted(chosen)) if all(done) else ()
    finally:
        for server in servers:
            _pin(server, mine)


def _pin(server: ModelServer, processors: set[int]) -> bool:
    """Whether every thread of the model now runs on these processors; threads it starts later do as theirs do."""
    threads = [int(thread) for pid in server.worker_pids() for thread in _threads(pid)]
    try:
        for thread in threads:
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(thread, processors)
    except OSError:
        return False
    return bool(threads)


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(Path("/proc", str(pid), "task"))
    except FileNotFoundError:
        return []
