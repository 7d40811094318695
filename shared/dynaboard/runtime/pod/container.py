"""The container we are process 1 of, as the kernel keeps account of it."""

import os

from dynaboard.errors import PlatformFailure
from dynaboard.measurement.samplers import ControlGroup, ProcessTree, Sampler, Version1, Version2, group_of
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
        if self._group and name != "process-tree":
            return ControlGroup(self._group, server.processes.own)
        if name == "cgroup":
            raise PlatformFailure("The model's container has no control group of its own here.")
        return ProcessTree(server.worker_pids, server.server_pids)


def _own_group() -> Version1 | Version2 | None:
    """Asked before anything else runs: the group holds no other process that we see, and no memory but ours."""
    group, ours = group_of(os.getpid()), footprint(os.getpid())
    if group is None or ours is None or not group.members() <= {os.getpid()}:
        return None
    return group if group.used() <= ours.used + SLACK else None
