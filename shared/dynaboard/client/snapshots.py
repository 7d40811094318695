"""Leaderboards frozen for ever, how to cite them, and weights that have a name."""

from pathlib import Path
from typing import Literal

from dynaboard.board_schemas import Citation, ForkCreate, ForkView, SnapshotView
from dynaboard.client.connection import Connection
from dynaboard.client.download import OnProgress, save
from dynaboard.client.leaderboards import DEFAULTS, BoardQuery
from dynaboard.leaderboard_schemas import LeaderboardView


class Snapshots:
    """`client.snapshots`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, task: str, query: BoardQuery = DEFAULTS) -> SnapshotView:
        """Freeze the board that the query describes, all models of it, under an address that never changes."""
        url = f"leaderboards/{task}/snapshots"
        return self._connection.ask(SnapshotView, "POST", url, params=query.parameters())

    def body(self, snapshot_id: str) -> bytes:
        """The very bytes, a LeaderboardView as JSON; their sha256 is the digest that `create` and the card tell."""
        return self._connection.send("GET", f"snapshots/{snapshot_id}").content

    def get(self, snapshot_id: str) -> LeaderboardView:
        """The frozen board."""
        return LeaderboardView.model_validate_json(self.body(snapshot_id))

    def reweighted(self, snapshot_id: str, query: BoardQuery) -> LeaderboardView:
        """The frozen models and results under the query's weights; nothing else of it counts."""
        url = f"snapshots/{snapshot_id}/leaderboard"
        return self._connection.ask(LeaderboardView, "GET", url, params=query.parameters())

    def bundle(self, snapshot_id: str, target: Path, on_progress: OnProgress | None = None) -> Path:
        """The board and the resamples behind its intervals, signed, as a file; `target` as in `download.save`."""
        return save(self._connection, f"snapshots/{snapshot_id}/bundle", target, on_progress)

    def citation(self, snapshot_id: str) -> Citation:
        """What to report with the board."""
        return self._connection.ask(Citation, "GET", f"snapshots/{snapshot_id}/citation")

    def cite(self, snapshot_id: str, format: Literal["text", "bibtex"] = "text") -> str:
        """The same as text, or as an entry of BibTeX."""
        return self._connection.send("GET", f"snapshots/{snapshot_id}/citation", params={"format": format}).text


class Forks:
    """`client.forks`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, task: str, fork: ForkCreate) -> ForkView:
        """Give weights a name and a reason, over the live board or over a snapshot."""
        body = fork.model_dump(mode="json", exclude_unset=True)
        return self._connection.ask(ForkView, "POST", f"leaderboards/{task}/forks", json=body)

    def all(self, task: str) -> list[ForkView]:
        """The forks of a task's board, newest first."""
        return self._connection.ask(list[ForkView], "GET", f"leaderboards/{task}/forks")

    def get(self, fork_id: str) -> ForkView:
        """One fork."""
        return self._connection.ask(ForkView, "GET", f"forks/{fork_id}")

    def board(self, fork: ForkView) -> LeaderboardView:
        """The board under a fork's weights: as it is now, or as its snapshot froze it."""
        return self._connection.ask(LeaderboardView, "GET", fork.board.removeprefix("/api/v1/"))
