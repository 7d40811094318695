"""Who is who among the processes of one model server: the guardian, Java, and the model's own."""

import os
import time
from collections.abc import Callable

import psutil

from dynaboard.runtime import processes

POLL_S = 0.02
KILL_S = 2.0


class ServerProcesses:
    """`root` is the process that we started: the guardian, below which Java runs, below which the model does.

    In a pod we are the parent of all that the model orphans too, and of nothing else.
    """

    def __init__(self, root: int, alive: Callable[[], bool], sandbox: str) -> None:
        self._root = root
        self._alive = alive
        self._sandbox = sandbox
        self._java: int | None = None
        self._worker: psutil.Process | None = None

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
        if self._sandbox != "pod":
            return processes.descendants(java)
        own = self.own()
        # A container's process 1 sees nobody but its own; to list those costs a fiftieth of walking the tree.
        ours = processes.everybody() if os.getpid() == 1 else processes.descendants(os.getpid())
        return [pid for pid in ours if pid not in own]

    def model(self) -> list[int]:
        """The model's processes, without the sandbox's own two, whatever they call themselves.

        Bubblewrap is Java's child and that one's; what the model orphans falls to the second.
        """
        if self._sandbox != "bubblewrap":
            return self.tree()
        outer = [pid for java in self.server() for pid in processes.children(java)]
        fence = {*outer, *(pid for each in outer for pid in processes.children(each))}
        return [pid for pid in self.tree() if pid not in fence]

    def spent(self) -> float:
        """Processor seconds that the model has used so far: its processes, and those of them that have ended."""
        ended = processes.spent_by_ended(os.getpid()) if self._sandbox == "pod" else 0.0  # its orphans are ours there
        return processes.spent(self.tree()) + ended

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

    def note_worker(self) -> None:
        """Remember the worker: call it when that has just loaded the model, for then Java has no other child."""
        children = [pid for java in self.server() for pid in processes.children(java)]
        self._worker = next(iter(processes.handles(children)), None)

    def await_worker_end(self) -> None:
        """Block until the worker that was noted has ended; at once when it has."""
        if self._worker is not None and self._worker.is_running():  # not another one of its number
            processes.await_end(self._worker.pid)
