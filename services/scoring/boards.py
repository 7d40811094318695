"""The record of a task's board each time a submission lands, and the word to those who watch it."""

import hashlib
import json

from sqlalchemy import text
from sqlalchemy.orm import Session

from dynaboard.board_events import announce
from dynaboard.identity import NOBODY
from dynaboard.nlp_tasks import Task
from dynaboard.tables import Board
from services.scoring.query import LeaderboardQuery
from services.scoring.ranked import ranked

MOST_ROWS = 1000


def lock(db: Session, task: Task) -> None:
    """Until the transaction ends, nobody else records a board of this task.

    Taken before a submission is finished: the newest board then holds every submission that has landed.
    """
    db.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": f"board {task.name}"})


def record(db: Session, task: Task, submission_id: str) -> Board:
    """Append the public board under default weights, and notify its watchers when the transaction commits."""
    shown = ranked(db, task, LeaderboardQuery(limit=MOST_ROWS), NOBODY)
    document = shown.model_dump(mode="json", exclude={"generated_at": True, "rows": {"__all__": {"datasets"}}})
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    board = Board(task=task.name, submission_id=submission_id, digest=digest, document=document)
    db.add(board)
    db.flush()
    announce(db, json.dumps({"task": task.name, "board": board.id, "digest": digest}))
    return board
