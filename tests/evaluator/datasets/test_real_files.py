"""Real evaluation files, where a machine has them (DYNABOARD_DATA), import whole."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dynaboard.nlp_tasks import TASKS
from services.evaluator.datasets.canonical import canonical_lines
from services.evaluator.datasets.catalogue import find_entry
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.importers.columns import read_columns

DATA = os.environ.get("DYNABOARD_DATA", "")
TASK_OF_FOLDER = {"nli": "nli", "qa": "qa", "sentiment": "sentiment", "hs": "hate-speech"}
TWO_WAY = {name: name for name in TASKS["nli"].labels} | {"not-entailed": ["neutral", "contradictory"]}

pytestmark = pytest.mark.skipif(not DATA, reason="DYNABOARD_DATA names no folder of real evaluation files")


def files() -> list[dict[str, Any]]:
    if not DATA:
        return [{"file": "none", "rows": 0}]
    listed = json.loads(Path(DATA, "manifest.json").read_text())["files"]
    return [file for file in listed if file["file"].split("/")[0] in TASK_OF_FOLDER]


@pytest.mark.parametrize("file", files(), ids=lambda file: file["file"])
def test_a_real_file_imports_with_the_published_number_of_examples(file: dict[str, Any]) -> None:
    task = TASK_OF_FOLDER[file["file"].split("/")[0]]
    labels = {"labels": TWO_WAY} if task == "nli" else {"drop": ["", "mixed"]} if task == "sentiment" else {}
    columns = read_columns({"task": task, **labels})
    unusable = sum(file["label_counts"].get(word, 0) for word in ("None", "mixed")) if task == "sentiment" else 0
    with Path(DATA, file["file"]).open("rb") as upload:
        examples = import_examples("jsonl", upload, columns, limit=2**30)
        assert sum(1 for _ in canonical_lines(TASKS[task], examples)) == file["rows"] - unusable


def test_identity_terms_become_tags() -> None:
    entry = find_entry("madlibs77k")
    with Path(DATA, "bias", "madlibs77k-test.jsonl.gz").open("rb") as upload:
        tags = Counter(
            tag
            for example in import_examples("jsonl", upload, entry.columns, limit=2**30)
            for tag in example.get("tags", ())
        )
    assert len(tags) == 50
    assert all(tag.startswith("identity:") for tag in tags)
