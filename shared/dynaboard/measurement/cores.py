"""Pins models to the same processors while they are measured: what takes a processor from one takes it from the other.

Left alone, the scheduler may keep one of two models on a busy processor and the other on an idle one for seconds. Their
TorchServes go to the other processors: where two processors had a busy process each, the ratio of a pair varied by 16 %
with Java free to run beside the model, and by 5 % with it kept away.
"""

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from dynaboard.runtime import ModelServer


def share(processors: set[int], threads: int) -> tuple[set[int], set[int]]:
    """The models' processors, the last `threads` of these, and their servers', the rest; all for all if none remain.

    Pure.
    """
    models = set(sorted(processors)[-threads:])
    rest = processors - models
    return (models, rest) if rest else (processors, processors)


@contextlib.contextmanager
def pinned(servers: Sequence[ModelServer]) -> Iterator[tuple[int, ...]]:
    """Keep the models behind these servers on the same processors for the block, and TorchServe off these.

    Yields the models' processors; none where the kernel or our rights do not allow it.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield ()
        return
    mine = os.sched_getaffinity(0)
    models, rest = share(mine, max(server.limits.threads for server in servers))
    done = [
        _pin(pids, processors)
        for server in servers
        for pids, processors in ((server.worker_pids(), models), (server.server_pids(), rest))
    ]
    try:
        yield tuple(sorted(models)) if all(done) else ()
    finally:
        for server in servers:
            _pin(server.worker_pids(), mine)
            _pin(server.server_pids(), mine)


def _pin(pids: Sequence[int], processors: set[int]) -> bool:
    """Whether every thread of these processes now runs on these processors; threads started later do as theirs do."""
    threads = [int(thread) for pid in pids for thread in _threads(pid)]
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
