"""The record of a task's board each time a submission lands, and the word to those who watch it."""

import hashlib
import json

import orjson
from sqlalchemy import text
from sqlalchemy.orm import Session

from dynaboard.board_events import announce
from dynaboard.identity import NOBODY
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Board
from services.scoring.brief import brief
from services.scoring.dynascore import dynascore
from services.scoring.freshness import freshness
from services.scoring.query import LeaderboardQuery
from services.scoring.standing import Scope
from services.scoring.standings import Standings

MOST_ROWS = 1000


def lock(db: Session, task: Task) -> None:
    """Until the transaction ends, nobody else records a board of this task.

    Taken before a submission is finished: the newest board then holds every submission that has landed.
    """
    db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": f"board {task.name}"})


def record(db: Session, task: Task, submission_id: str | None = None, standings: Standings | None = None) -> Board:
    """Append the public board under default weights, and notify its watchers when the transaction commits.

    `submission_id` is what landed; None where settings changed. With the `standings` of the process only what has
    landed since the last is read.

    Values, ranks and scores alone: a landing does not wait for the resamples of a thousand models. Uncertainty can be
    had of any board of the past, with `as_of`.
    """
    query = LeaderboardQuery(limit=MOST_ROWS, detail="ranking")
    standing = (standings or Standings()).unkept(db, Scope.of(task, query, NOBODY), NOBODY, freshness(db, task))
    ranking = dynascore(standing.board, query.method(standing.method))
    document = orjson.loads(brief(standing, ranking, query, NOBODY))
    del document["generated_at"]
    digest = hashlib.sha256(orjson.dumps(document, option=orjson.OPT_SORT_KEYS)).hexdigest()
    board = Board(task=task.name, submission_id=submission_id, digest=digest, document=document)
    db.add(board)
    db.flush()
    announce(db, json.dumps({"task": task.name, "board": board.id, "digest": digest}))
    return board
