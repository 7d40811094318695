"""Training rows, from this folder or from anywhere: canonical JSON lines, plain or gzipped."""

import gzip
import json
from pathlib import Path
from typing import Any

from dynaboard.errors import Invalid
from dynaboard.nlp_tasks import Task

Row = dict[str, Any]

# Published training sets that share texts with their own test sets mark them so; nobody should train on those.
LEAKED = "text-also-in-dev-or-test"


def read_rows(path: Path, task: Task) -> list[Row]:
    """The rows of `path` that `task` may be trained on; where several labels are accepted, the first one counts.

    Raises Invalid, with the line, for a row that lacks a field or has another task's label.
    """
    open_text = gzip.open if path.suffix == ".gz" else open
    rows = []
    with open_text(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            if LEAKED in row.get("tags", ()):
                continue
            if isinstance(row.get("label"), list):
                row["label"] = next(iter(row["label"]), None)
            missing = [field for field in (*task.inputs, task.reference_field) if field not in row]
            if missing or (task.labels and row["label"] not in task.labels):
                raise Invalid(f"{path.name}, line {number}: no row of the task {task.name}; see examples/README.md.")
            rows.append(row)
    return rows
