"""The bytes of a leaderboard for a request: written once while nothing changes, and not sent again to who has them."""

from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import sha256

from fastapi import Request, Response

from dynaboard import __version__
from dynaboard.database import Database
from dynaboard.identity import Caller, Role
from dynaboard.nlp_tasks import Task
from services.scoring.brief import brief
from services.scoring.exports import EXPORTS
from services.scoring.freshness import Token, freshness
from services.scoring.kept import Kept
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import AGGREGATIONS, ranked
from services.scoring.resampling import Resampled
from services.scoring.standing import Scope, Standing, read_standing

ANSWERS_KEPT = 32
ANSWER_S = 60.0


@dataclass(frozen=True)
class Asked:
    """One request for a board: which, by whom, and in which format ("" for the API's own JSON)."""

    task: Task
    query: LeaderboardQuery
    caller: Caller
    extension: str = ""

    @property
    def key(self) -> Hashable:
        """Equal for requests with the same answer."""
        chosen = tuple(sorted((name, str(value)) for name, value in self.query.model_dump().items()))
        return self.task.name, self.extension, self.caller, chosen


class BoardAnswers:
    """Keeps the newest answers of a process."""

    def __init__(self, database: Database, resampled: Resampled) -> None:
        self._database, self._resampled = database, resampled
        # A glance needs no transaction, and so no round trip to end one.
        self._glances = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._bodies: Kept[bytes] = Kept(ANSWERS_KEPT, ANSWER_S)

    def answer(self, asked: Asked, request: Request) -> Response:
        """The board, or 304 for who has it. Raises Invalid for names and weights that cannot be."""
        headers = {"cache-control": "no-cache", "vary": "authorization"}
        if asked.caller.role != Role.ANONYMOUS:
            headers["cache-control"] = "private, no-cache"
        with self._glances.connect() as connection:
            token = freshness(connection, asked.task)
        # Weak: whoever writes the same board later writes another time into it.
        headers["etag"] = f'W/"{sha256(repr((__version__, token, asked.key)).encode()).hexdigest()[:32]}"'
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = self._bodies.get(asked.key, token, lambda: self._write(asked, token))
        export = EXPORTS.get(asked.extension)
        if export:
            name = f"leaderboard-{asked.task.name}.{asked.extension}"
            headers["content-disposition"] = f'attachment; filename="{name}"'
        return Response(body, media_type=export.media_type if export else "application/json", headers=headers)

    def _write(self, asked: Asked, token: Token) -> bytes:
        query, caller = asked.query, asked.caller
        if query.detail == "ranking":
            scope = Scope.of(asked.task, query, caller)
            standing = self._resampled.standings.get(scope, token, lambda: self._read(scope, caller))
            ranking = AGGREGATIONS[query.aggregation](standing.board, query.method(standing.method))
            return brief(standing, ranking, query, caller)
        with self._database.begin() as db:
            board = ranked(db, asked.task, query, caller, self._resampled)
        text = EXPORTS[asked.extension].write(board) if asked.extension else board.model_dump_json()
        return text.encode()

    def _read(self, scope: Scope, caller: Caller) -> Standing:
        with self._database.begin() as db:
            return read_standing(db, scope, caller)
