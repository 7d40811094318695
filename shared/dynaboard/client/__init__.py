"""The Python client: a method for everything the public API does. httpx and schemas only.

    with Client("http://127.0.0.1:8000", key) as client:
        submission = client.submissions.submit(Path("my-model.zip"), publish=True)
        board = client.leaderboards.get("sentiment", weights={"performance": 4})

Every method raises `dynaboard.errors` with the server's sentence, and Unavailable when no server answers.
"""

from types import TracebackType
from typing import Self

from dynaboard.client.backfill import Backfill
from dynaboard.client.connection import Connection, given
from dynaboard.client.datasets import Datasets
from dynaboard.client.definitions import Definitions
from dynaboard.client.leaderboards import Leaderboards
from dynaboard.client.models import Models
from dynaboard.client.snapshots import Forks, Snapshots
from dynaboard.client.submissions import Submissions
from dynaboard.client.users import Users
from dynaboard.hardware_schemas import HardwareView
from dynaboard.task_schemas import TaskView

__all__ = ["Client"]


class Client:
    """A Dynaboard as seen with one API key; without a key, what everybody may see. Use it as a context manager."""

    def __init__(self, url: str, key: str = "") -> None:
        self._connection = connection = Connection(url, key)
        self.url = connection.url
        self.submissions = Submissions(connection)
        self.models = Models(connection)
        self.datasets = Datasets(connection)
        self.definitions = Definitions(connection)
        self.leaderboards = Leaderboards(connection)
        self.snapshots = Snapshots(connection)
        self.forks = Forks(connection)
        self.users = Users(connection)
        self.backfill = Backfill(connection)
        self.close = connection.close

    def tasks(self) -> list[TaskView]:
        """The NLP tasks: what a model gets, what it must answer, and what ranks it."""
        return self._connection.ask(list[TaskView], "GET", "tasks")

    def hardware(self, task: str | None = None) -> list[HardwareView]:
        """The machines that costs were measured on: all, or those of a task's published models."""
        return self._connection.ask(list[HardwareView], "GET", "hardware", params=given(task=task))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
