"""Who is who among the processes of one model server: the guardian, Java, and the model's own."""

import os
import time
from collections.abc import Callable

from dynaboard.runtime import processes

POLL_S = 0.02
KILL_S = 2.0


class ServerProcesses:
    """`root` is the process that we started: the guardian, below which Java runs, below which the model does.

    With `adopting` we are the parent of all that the model orphans too, and of nothing else: so it is in a pod.
    """

    def __init__(self, root: int, alive: Callable[[], bool], adopting: bool) -> None:
        self._root = root
        self._alive = alive
        self._adopting = adopting
        self._java: int | None = None

    def java(self) -> int | None:
        """TorchServe's own process, once it has been seen."""
        if self._java is None:
            found = (pid for pid in processes.descendants(self._root) if processes.name(pid) == "java")
            self._java = next(found, None)
        return self._java

    def server(self) -> list[int]:
        """Java, when it runs."""
        java = self.java()
        return [] if java is None else [java]

    def server_runs(self) -> bool:
        """Whether Java does."""
        return any(map(processes.runs, processes.handles(self.server())))

    def own(self) -> list[int]:
        """What runs beside the model for it: we, the guardian, Java."""
        return [os.getpid(), self._root, *self.server()]

    def tree(self) -> list[int]:
        """Everything of the model's, its sandbox too."""
        java = self.java()
        if java is None:
            return []
        if not self._adopting:
            return processes.descendants(java)
        return [pid for pid in processes.descendants(os.getpid()) if pid not in self.own()]

    def model(self) -> list[int]:
        """The model's processes, without the sandbox's own two."""
        return [pid for pid in self.tree() if processes.program(pid) not in ("bwrap", "")]

    def kill_model(self) -> None:
        """Kill everything of the model's, and nothing else, until none of it runs."""
        processes.kill_all(self.tree, KILL_S)

    def await_server_end(self) -> None:
        """Block until Java has ended; at once when it never started."""
        while (java := self.java()) is None:
            if not self._alive():
                return
            time.sleep(POLL_S)
        processes.await_end(java)

    def await_worker_end(self) -> None:
        """Block until the worker of a model that is ready has ended; at once when it has."""
        java = self.java()
        for worker in processes.children(java)[:1] if java else []:
            processes.await_end(worker)
