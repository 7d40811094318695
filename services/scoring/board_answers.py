"""The bytes of a leaderboard for a request: written once while nothing changes, and not sent again to who has them."""

import gzip
from collections.abc import Callable, Hashable
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
from services.scoring.standing import Scope

ANSWERS_KEPT = 32
ANSWER_S = 3600.0
# Six times smaller at 100 MB/s; more is not worth the wait under ever new weights.
GZIP_LEVEL = 1


@dataclass(frozen=True)
class Asked:
    """One request: of which board, by whom, and which part of it or which format ("" for the board as JSON)."""

    task: Task
    query: LeaderboardQuery
    caller: Caller
    part: str = ""

    @property
    def key(self) -> Hashable:
        """Equal for requests with the same answer."""
        chosen = tuple(sorted((name, str(value)) for name, value in self.query.model_dump().items()))
        return self.task.name, self.part, self.caller, chosen


class BoardAnswers:
    """Keeps the newest answers of a process."""

    def __init__(self, database: Database, resampled: Resampled) -> None:
        self._database, self._resampled = database, resampled
        # A glance needs no transaction, and so no round trip to end one.
        self._glances = database.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._bodies: Kept[bytes] = Kept(ANSWERS_KEPT, ANSWER_S)
        self._packed: Kept[bytes] = Kept(ANSWERS_KEPT, ANSWER_S)

    def board(self, asked: Asked, request: Request) -> Response:
        """The board, or 304 for who has it. Raises Invalid for names and weights that cannot be."""
        answer = self.answer(asked, request, lambda token: self._write(asked, token))
        if asked.part and answer.status_code != 304:
            name = f"leaderboard-{asked.task.name}.{asked.part}"
            answer.headers["content-disposition"] = f'attachment; filename="{name}"'
            answer.headers["content-type"] = EXPORTS[asked.part].media_type
        return answer

    def answer(self, asked: Asked, request: Request, write: Callable[[Token], bytes]) -> Response:
        """What `write` writes, or wrote while nothing has changed since; 304 for who has it."""
        headers = {"cache-control": "no-cache", "vary": "authorization, accept-encoding"}
        if asked.caller.role != Role.ANONYMOUS:
            headers["cache-control"] = "private, no-cache"
        with self._glances.connect() as connection:
            token = freshness(connection, asked.task)
        # Weak: whoever writes the same board later writes another time into it.
        headers["etag"] = f'W/"{sha256(repr((__version__, token, asked.key)).encode()).hexdigest()[:32]}"'
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)

        def body() -> bytes:
            return self._bodies.get(asked.key, token, lambda: write(token))

        # The gateway asks with this one coding or with none.
        if request.headers.get("accept-encoding") == "gzip":
            packed = self._packed.get(asked.key, token, lambda: gzip.compress(body(), GZIP_LEVEL, mtime=0))
            return Response(packed, media_type="application/json", headers=headers | {"content-encoding": "gzip"})
        return Response(body(), media_type="application/json", headers=headers)

    def _write(self, asked: Asked, token: Token) -> bytes:
        query, caller = asked.query, asked.caller
        if query.detail == "ranking":
            scope = Scope.of(asked.task, query, caller)
            with self._database.begin() as db:  # takes no connection unless there is something to read
                standing = self._resampled.standings.get(db, scope, caller, token)
            ranking = AGGREGATIONS[query.aggregation](standing.board, query.method(standing.method))
            return brief(standing, ranking, query, caller)
        with self._database.begin() as db:
            board = ranked(db, asked.task, query, caller, self._resampled)
        text = EXPORTS[asked.part].write(board) if asked.part else board.model_dump_json()
        return text.encode()
