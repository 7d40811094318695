"""The four tasks of the Dynaboard paper (section 3), out of the files that come with this package.

An installation may change them and have others: what counts on a running platform is in its database (task_registry).
"""

from importlib.resources import files

from dynaboard.task import PAPER_MEMORY_BUDGET_GIB, AnswerKind, Task
from dynaboard.task_bundle import TaskBundle, read_bundle

__all__ = ["PAPER_MEMORY_BUDGET_GIB", "SHIPPED", "TASKS", "AnswerKind", "Task"]

SHIPPED: dict[str, TaskBundle] = {
    name: read_bundle((files("dynaboard") / "tasks" / f"{name}.yaml").read_text("utf-8"))
    for name in ("nli", "qa", "sentiment", "hate-speech")
}
TASKS: dict[str, Task] = {name: bundle.task() for name, bundle in SHIPPED.items()}
