"""The datasets that ship with the repository."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from dynaboard.nlp_tasks import TASKS

FOLDER = Path(__file__).parents[2] / "examples" / "datasets"
CATALOGUE: list[dict[str, str]] = yaml.safe_load((FOLDER / "datasets.yaml").read_text(encoding="utf-8"))
each_dataset = pytest.mark.parametrize("dataset", CATALOGUE, ids=[entry["name"] for entry in CATALOGUE])


def rows_of(dataset: dict[str, str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / dataset["file"]).read_text(encoding="utf-8").splitlines()]


def question(row: dict[str, Any], inputs: tuple[str, ...]) -> str:
    """What a model is asked, without case, punctuation and spacing."""
    return " ".join(re.findall(r"\w+", " ".join(row[field] for field in inputs).lower()))


def test_the_catalogue_lists_every_file_once() -> None:
    assert sorted(entry["file"] for entry in CATALOGUE) == sorted(path.name for path in FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_something_to_train_on_and_two_test_sets(task: str) -> None:
    roles = [entry["role"] for entry in CATALOGUE if entry["task"] == task]
    assert sorted(roles) == ["scoring", "standard", "training"]


@each_dataset
def test_the_catalogue_says_what_it_is_and_who_may_use_it(dataset: dict[str, str]) -> None:
    assert set(dataset) == {"name", "task", "file", "role", "licence", "citation", "description"}
    assert dataset["licence"] == "CC-BY-4.0"


@each_dataset
def test_every_row_has_its_tasks_fields_and_nothing_else(dataset: dict[str, str]) -> None:
    task = TASKS[dataset["task"]]
    for row in rows_of(dataset):
        assert set(row) == {"id", *task.inputs, task.reference_field, "tags"}
        assert all(row[field] == row[field].strip() != "" for field in task.inputs)
        assert len(set(row["tags"])) == len(row["tags"])


def test_no_id_stands_twice() -> None:
    ids = Counter(row["id"] for dataset in CATALOGUE for row in rows_of(dataset))
    assert max(ids.values()) == 1


@each_dataset
def test_labels_are_the_tasks_and_equally_frequent(dataset: dict[str, str]) -> None:
    task = TASKS[dataset["task"]]
    if task.labels:
        counts = Counter(row["label"] for row in rows_of(dataset))
        assert set(counts) == set(task.labels)
        assert len(set(counts.values())) == 1


@each_dataset
def test_accepted_answers_are_spans_of_the_context(dataset: dict[str, str]) -> None:
    for row in rows_of(dataset):
        assert all(answer and answer in row["context"] for answer in row.get("answers", ()))


@each_dataset
def test_people_and_gendered_words_occur_often_enough_to_swap(dataset: dict[str, str]) -> None:
    rows = rows_of(dataset)
    for tag in ("named-person", "gendered"):
        assert sum(tag in row["tags"] for row in rows) >= 4


@pytest.mark.parametrize("task", TASKS)
def test_nothing_is_asked_twice_within_a_task(task: str) -> None:
    rows = [row for dataset in CATALOGUE if dataset["task"] == task for row in rows_of(dataset)]
    asked = Counter(question(row, TASKS[task].inputs) for row in rows)
    assert max(asked.values()) == 1


@pytest.mark.parametrize("task", [name for name, task in TASKS.items() if "context" in task.inputs])
def test_test_sets_share_no_context_with_the_training_set_or_each_other(task: str) -> None:
    contexts = [{row["context"] for row in rows_of(entry)} for entry in CATALOGUE if entry["task"] == task]
    assert len(set().union(*contexts)) == sum(map(len, contexts))
