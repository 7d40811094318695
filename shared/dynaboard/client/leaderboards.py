"""Leaderboards under any weights, as values, as files and as they change."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

import httpx

from dynaboard.board_schemas import BoardDifference
from dynaboard.client.answers import checked, reaching
from dynaboard.client.connection import Connection, given
from dynaboard.comparison_schemas import InfluenceView, PairsView, WeightMapView
from dynaboard.leaderboard_schemas import LeaderboardView

# The server says something (a comment, at least) more often than this.
SILENCE = httpx.Timeout(60.0, connect=5.0)


@dataclass(frozen=True)
class BoardQuery:
    """What a viewer may choose. Unnamed weights keep their defaults; `sort` is score, mean_rank, name or a metric.

    `unpublished` includes, as if published, the models only you may see. `as_of`, a time with its zone, asks for the
    board as it stood then. `tag` counts quality on the examples that have it; `aggregation` is dynascore or zscore.
    """

    weights: Mapping[str, float] = field(default_factory=dict)
    dataset_weights: Mapping[str, float] = field(default_factory=dict)
    sort: str | None = None
    unpublished: bool = False
    limit: int | None = None
    as_of: datetime | None = None
    tag: str | None = None
    aggregation: str | None = None

    def parameters(self) -> dict[str, str]:
        """As the query of a URL."""
        numbers = {f"weight.{name}": str(value) for name, value in self.weights.items()}
        numbers |= {f"dataset_weight.{name}": str(value) for name, value in self.dataset_weights.items()}
        unpublished = "true" if self.unpublished else None
        return numbers | given(
            sort=self.sort,
            limit=self.limit,
            unpublished=unpublished,
            as_of=self.as_of.isoformat() if self.as_of else None,
            tag=self.tag,
            aggregation=self.aggregation,
        )


DEFAULTS = BoardQuery()


class Leaderboards:
    """`client.leaderboards`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, task: str, query: BoardQuery = DEFAULTS) -> LeaderboardView:
        """The board of a task, best first."""
        return self._connection.ask(LeaderboardView, "GET", f"leaderboards/{task}", params=query.parameters())

    def file(self, task: str, extension: Literal["csv", "json", "tex", "md"], query: BoardQuery = DEFAULTS) -> str:
        """The same board as CSV, JSON, LaTeX or Markdown, with all its models unless the query limits them."""
        return self._connection.send("GET", f"leaderboards/{task}.{extension}", params=query.parameters()).text

    def difference(
        self, task: str, before: datetime, after: datetime | None = None, query: BoardQuery = DEFAULTS
    ) -> BoardDifference:
        """Why each score changed between two times, given with their zones; left out, the later is now."""
        times = given(**{"from": before.isoformat(), "to": after.isoformat() if after else None})
        url = f"leaderboards/{task}/difference"
        return self._connection.ask(BoardDifference, "GET", url, params=query.parameters() | times)

    def pairs(self, task: str, query: BoardQuery = DEFAULTS) -> PairsView:
        """Every pair of models: difference, interval, P(A above B), and p-values corrected for their number."""
        return self._connection.ask(PairsView, "GET", f"leaderboards/{task}/pairs", params=query.parameters())

    def influence(self, task: str, query: BoardQuery = DEFAULTS) -> InfluenceView:
        """What the exchange rates owe to each model, to epsilon and to the mean of slopes."""
        return self._connection.ask(InfluenceView, "GET", f"leaderboards/{task}/influence", params=query.parameters())

    def weight_map(self, task: str, query: BoardQuery = DEFAULTS) -> WeightMapView:
        """For each model whether any weights put it first, and the nearest such weights."""
        return self._connection.ask(WeightMapView, "GET", f"leaderboards/{task}/weight-map", params=query.parameters())

    def changes(self, task: str) -> Iterator[None]:
        """Yields at once, and again whenever the board has changed. Ends when the server hangs up."""
        url = f"leaderboards/{task}/events"
        connection = self._connection
        with reaching(connection.url), connection.http.stream("GET", url, timeout=SILENCE) as response:
            yield from _events(checked(response))


def _events(response: httpx.Response) -> Iterator[None]:
    """One None for each server-sent event: a blank line ends one, a colon starts a comment."""
    announced = False
    for line in response.iter_lines():
        if not line and announced:
            yield None
        announced = bool(line) and (announced or line.startswith("data"))
