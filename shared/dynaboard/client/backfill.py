"""Back-fill: what boards lack, and who says that it goes on; for task owners."""

from typing import Literal

from dynaboard.backfill_schemas import BackfillView, FillView, MetricDifference
from dynaboard.client.connection import Connection, given

Action = Literal["start", "pause", "resume"]


class Backfill:
    """`client.backfill`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def show(self, task: str | None = None) -> list[BackfillView]:
        """Which models are to be run again, on what and for how long; of a task, or of all."""
        return self._connection.ask(list[BackfillView], "GET", "backfill", params=given(task=task))

    def metrics(self, task: str | None = None) -> list[FillView]:
        """Which metrics are to be computed from stored predictions."""
        return self._connection.ask(list[FillView], "GET", "missing-metrics", params=given(task=task))

    def steer(self, action: Action, task: str) -> BackfillView:
        """start everything, pause, or resume as at first."""
        return self._connection.ask(BackfillView, "POST", f"backfill/{action}", params={"task": task})

    def difference(
        self, task: str, metric: str, before: str | None = None, after: str | None = None
    ) -> MetricDifference:
        """The models of a board under two versions of a metric, the two newest unless named."""
        path = f"leaderboards/{task}/metrics/{metric}/difference"
        return self._connection.ask(MetricDifference, "GET", path, params=given(before=before, after=after))
