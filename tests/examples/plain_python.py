"""Runs a handler as its author would: in a process of plain Python that knows nothing of the platform."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from dynaboard.contract import Answer, read_answers, wire_examples
from dynaboard.nlp_tasks import Task

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from handler import Handler
handler = Handler()
handler.load(sys.argv[1])
answers = [handler.predict(batch) for batch in json.load(sys.stdin)]
json.dump(answers, open(sys.argv[2], "w"))
"""

Rows = list[dict[str, Any]]


def answers(folder: Path, task: Task, batches: list[Rows], reply: Path) -> list[list[Answer]]:
    """The model's answers to `batches`, held against the contract; `reply` is a scratch file.

    Raises BrokenContract for an answer that breaks it, and AssertionError with the traceback if the model crashes.
    """
    questions = json.dumps([wire_examples(task, rows) for rows in batches])
    command = [sys.executable, "-P", "-c", PROGRAM, str(folder), str(reply)]
    process = subprocess.run(command, input=questions, text=True, capture_output=True, check=False, cwd=reply.parent)
    assert process.returncode == 0, process.stderr[-2000:]
    replies = json.loads(reply.read_text())
    return [read_answers(task, rows, reply) for rows, reply in zip(batches, replies, strict=True)]


def correct(task: Task, rows: Rows, given: list[Answer]) -> float:
    """The share of rows answered as the reference says, letter for letter."""
    references = [row[task.reference_field] for row in rows]
    accepted = [reference if isinstance(reference, list) else [reference] for reference in references]
    return sum(answer.value in some for answer, some in zip(given, accepted, strict=True)) / len(rows)
