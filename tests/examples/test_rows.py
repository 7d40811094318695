"""Reading training data."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from dynaboard.errors import Invalid
from dynaboard.nlp_tasks import TASKS
from examples.rows import LEAKED, read_rows

SENTIMENT = TASKS["sentiment"]
ROW = {"id": "1", "statement": "It was fine.", "label": "neutral"}


def written(path: Path, *rows: dict[str, Any]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_rows_may_be_gzipped(name: str, tmp_path: Path) -> None:
    assert read_rows(written(tmp_path / name, ROW), SENTIMENT) == [ROW]


def test_rows_whose_text_is_also_in_a_test_set_are_left_out(tmp_path: Path) -> None:
    leaked = {**ROW, "id": "2", "tags": ["web", LEAKED]}
    assert read_rows(written(tmp_path / "rows.jsonl", leaked, ROW), SENTIMENT) == [ROW]


def test_of_several_accepted_labels_the_first_counts(tmp_path: Path) -> None:
    (row,) = read_rows(written(tmp_path / "rows.jsonl", {**ROW, "label": ["positive", "neutral"]}), SENTIMENT)
    assert row["label"] == "positive"


@pytest.mark.parametrize("wrong", [{"label": "hateful"}, {"label": None}, {"label": []}])
def test_a_row_of_another_task_is_refused_with_its_line(wrong: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="line 2: no row of the task sentiment"):
        read_rows(written(tmp_path / "rows.jsonl", ROW, {**ROW, **wrong}), SENTIMENT)
