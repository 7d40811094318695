"""The bytes of a leaderboard for a request: written once while nothing changes, and not sent again to who has them."""

from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import sha256

from fastapi import Request, Response
from sqlalchemy.orm import Session

from dynaboard import __version__
from dynaboard.database import Database
from dynaboard.identity import Caller, Role
from dynaboard.nlp_tasks import Task
from services.scoring.brief import brief
from services.scoring.exports import EXPORTS
from services.scoring.freshness import freshness
from services.scoring.kept import Kept
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import AGGREGATIONS, ranked, standing_of
from services.scoring.resampling import Resampled

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
        self._bodies: Kept[bytes] = Kept(ANSWERS_KEPT, ANSWER_S)

    def answer(self, asked: Asked, request: Request) -> Response:
        """The board, or 304 for who has it. Raises Invalid for names and weights that cannot be."""
        headers = {"cache-control": "no-cache", "vary": "authorization"}
        if asked.caller.role != Role.ANONYMOUS:
            headers["cache-control"] = "private, no-cache"
        with self._database.begin() as db:
            token = freshness(db, asked.task)
            # Weak: whoever writes the same board later writes another time into it.
            headers["etag"] = f'W/"{sha256(repr((__version__, token, asked.key)).encode()).hexdigest()[:32]}"'
            if headers["etag"] in request.headers.get("if-none-match", ""):
                return Response(status_code=304, headers=headers)
            body = self._bodies.get(asked.key, token, lambda: self._write(db, asked))
        export = EXPORTS.get(asked.extension)
        if export:
            name = f"leaderboard-{asked.task.name}.{asked.extension}"
            headers["content-disposition"] = f'attachment; filename="{name}"'
        return Response(body, media_type=export.media_type if export else "application/json", headers=headers)

    def _write(self, db: Session, asked: Asked) -> bytes:
        query, resampled = asked.query, self._resampled
        if asked.extension:
            board = ranked(db, asked.task, query, asked.caller, resampled)
            return EXPORTS[asked.extension].write(board).encode()
        if query.detail == "full":
            return ranked(db, asked.task, query, asked.caller, resampled).model_dump_json().encode()
        standing = standing_of(db, asked.task, query, asked.caller, resampled)
        ranking = AGGREGATIONS[query.aggregation](standing.board, query.method(standing.memory_budget_gib))
        return brief(standing, ranking, query, asked.caller)
