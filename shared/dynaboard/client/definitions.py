"""Definitions of tasks, over HTTP."""

from dynaboard.client.connection import Connection
from dynaboard.definition_schemas import DefinitionApplied, DefinitionView
from dynaboard.task_bundle import TaskBundle


class Definitions:
    """`client.definitions`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, task: str) -> DefinitionView:
        """A task's definition with the settings in force. Raises NotFound."""
        return self._connection.ask(DefinitionView, "GET", f"tasks/{task}")

    def apply(self, wanted: TaskBundle, dry_run: bool = False) -> DefinitionApplied:
        """Create or change a task; `dry_run`: only say what would change. Raises Forbidden, Invalid, Conflict."""
        body = wanted.model_dump(mode="json", exclude_unset=True)
        return self._connection.ask(
            DefinitionApplied, "PUT", f"tasks/{wanted.name}", params={"dry_run": dry_run}, json=body
        )
