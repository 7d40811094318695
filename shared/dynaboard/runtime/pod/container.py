"""The container we are process 1 of, as the kernel keeps account of it."""

import os
from dataclasses import replace

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.samplers import (
    ControlGroup,
    MemoryUse,
    ProcessTree,
    Sampler,
    Version1,
    Version2,
    group_of,
)
from dynaboard.measurement.samplers.footprint import footprint
from dynaboard.runtime.limits import MIB
from dynaboard.runtime.server import ModelServer

# The kernel charges memory in lots.
SLACK = 16 * MIB


class Container:
    """Our control group, where nobody else is in it: as plain processes we share one, and nothing can be told by it."""

    def __init__(self) -> None:
        self._group = _own_group()
        self._killed = self._group.killed() if self._group else 0

    def was_out_of_memory(self) -> bool:
        """Whether the kernel killed a process of the container for want of memory."""
        return self._group is not None and self._group.killed() > self._killed

    def sampler(self, server: ModelServer, name: str) -> Sampler:
        """What watches the model's memory: the container's account less our own processes, else the process tree.

        Raises PlatformFailure when the one that is asked for cannot work here.
        """
        tree = ProcessTree(server.worker_pids, server.server_pids)
        if self._group and name != "process-tree":
            return Both(ControlGroup(self._group, server.processes.own), tree)
        if name == "cgroup":
            raise PlatformFailure("The model's container has no control group of its own here.")
        return tree


class Both:
    """The container's account, with the peaks of the process tree: in a container the group's own mark cannot be reset.

    The account misses nothing that a model holds; the processes' marks miss no moment.
    """

    def __init__(self, account: ControlGroup, tree: ProcessTree) -> None:
        self.name = account.name
        self._account = account
        self._tree = tree

    def begin(self) -> None:
        """See Sampler."""
        self._account.begin()
        self._tree.begin()

    def take(self) -> None:
        """See Sampler."""
        self._account.take()
        self._tree.take()

    def end(self) -> MemoryUse:
        """See Sampler."""
        use, seen = self._account.end(), self._tree.end()
        if use.peak_source == "kernel":
            return use
        return replace(use, peak=max(use.peak, seen.peak), peak_source=seen.peak_source)


def _own_group() -> Version1 | Version2 | None:
    """Asked before anything else runs: the group holds no other process that we see, and no memory but ours."""
    group, ours = group_of(os.getpid()), footprint(os.getpid())
    if group is None or ours is None or not group.members() <= {os.getpid()}:
        return None
    return group if group.used() <= ours.used + SLACK else None
