"""JSON Lines: one object a line (ANLI, DynaSent, SuperGLUE, and files already in the canonical form)."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from dynaboard.errors import Invalid
from services.evaluator.datasets.canonical import Example
from services.evaluator.datasets.importers.columns import Columns, examples
from services.evaluator.datasets.importers.lines import numbered_lines


def json_objects(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, the object on it); blank lines are passed over. Raises Invalid for anything else."""
    for number, line in numbered_lines(stream):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise Invalid(f"line {number}: not JSON ({error.msg} at character {error.pos + 1})") from None
        except (RecursionError, ValueError):
            raise Invalid(f"line {number}: nested too deeply, or a number with too many digits") from None
        if not isinstance(value, dict):
            raise Invalid(f"line {number}: a JSON object is expected, such as {{...}}")
        yield number, value


def import_jsonl(stream: BinaryIO, columns: Columns) -> Iterator[Example]:
    """Examples out of JSON Lines. Raises Invalid naming the line."""
    return examples(json_objects(stream), columns)
