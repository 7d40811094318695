"""A new task out of one YAML file and one metric file, on the running platform: defined, submitted to, ranked."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dynaboard.embedded import free_port
from dynaboard.task_bundle import TaskBundle, write_bundle
from examples.local_platform import LocalPlatform, local_platform

METRIC = """
from services.scoring.metrics.metric import mean_metric


def recalled(prediction, accepted):
    said = set(prediction.lower().split())
    return max(len(said & set(text.lower().split())) / len(set(text.lower().split())) for text in accepted)


METRIC = mean_metric("rouge_1_recall", 3, recalled)
"""
TASK = """
name: headlines
title: Headlines
inputs:
  - {name: story, type: text}
answer: {kind: text}
performance_metric: rouge_1_recall
metrics: [squad_em]
perturbations: {fairness: null}
datasets:
  - name: village-news
    role: scoring
    weight: 2
    licence: CC0-1.0
    citation: Written for this test.
    format: jsonl
    mapping: {inputs: {story: body}, answers: titles}
settings: {weights: {performance: 8}, memory_budget_gib: 16}
example: {story: The bridge was opened on Monday.}
"""
ROWS = [
    {"id": "1", "body": "Bridge opened on Monday. Many people came.", "titles": ["Bridge opened"]},
    {"id": "2", "body": "The baker won a prize. It was a cake.", "titles": ["Baker wins", "The baker won a prize."]},
    {"id": "3", "body": "Rain is expected. Take an umbrella with you.", "titles": ["Storm"]},
]
HANDLER = """
class Handler:
    def load(self, model_dir):
        pass

    def predict(self, examples):
        return [{"id": each["id"], "answer": each["story"].partition(".")[0]} for each in examples]
"""
MANIFEST = """
name: first-sentence
task: headlines
handler: handler.py:Handler
card: {summary: The first sentence., licence: MIT}
"""

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the operator, the task's owner and the submitter have written."""
    root = tmp_path_factory.mktemp("new-task")
    texts = {
        "metrics/rouge_1_recall.py": METRIC,
        "headlines.yaml": TASK,
        "news.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
        "model/handler.py": HANDLER,
        "model/dynaboard.yaml": MANIFEST,
    }
    for name, text in texts.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def platform(folder: Path) -> Iterator[LocalPlatform]:
    """A platform whose operator has added the metric."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DYNABOARD_METRICS_PATH", str(folder / "metrics"))
        with local_platform(folder / "data", free_port()) as running:
            yield running


@pytest.fixture(scope="module")
def dynaboard(platform: LocalPlatform, folder: Path) -> Run:
    """Run the command line against the platform; gives the JSON it printed."""
    homes = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), str(folder / "home"))
    environment = os.environ | homes | {"DYNABOARD_URL": platform.url, "DYNABOARD_KEY": platform.key}

    def run(*arguments: str, typed: str = "") -> Any:
        command = [sys.executable, "-m", "dynaboard.cli", *arguments, "--json"]
        done = subprocess.run(
            command, env=environment, input=typed, capture_output=True, text=True, timeout=240, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()][-1]

    return run


def test_a_task_that_is_only_a_file_is_submitted_to_and_ranked(dynaboard: Run, folder: Path) -> None:
    tried = dynaboard("task", "apply", str(folder / "headlines.yaml"), "--dry-run")
    assert (tried["created"], tried["applied"], tried["version"]) == (True, False, 0)
    made = dynaboard("task", "apply", str(folder / "headlines.yaml"))
    assert (made["created"], made["version"], made["settings_version"]) == (True, 1, 1)

    added = dynaboard("datasets", "add", str(folder / "news.jsonl"), "--task", "headlines", "--name", "village-news")
    assert (added["role"], added["examples"]) == ("scoring", len(ROWS))

    checked = dynaboard("check", str(folder / "model"), "--task-file", str(folder / "headlines.yaml"))
    assert checked["ok"], checked

    submitted = dynaboard("submit", str(folder / "model"), "--publish", "--no-follow")
    followed = dynaboard("status", submitted["id"], "--follow")
    assert followed["status"] == "finished", followed

    board = dynaboard("leaderboard", "headlines")
    (row,) = board["rows"]
    assert (row["name"], row["rank"]) == ("first-sentence", 1)
    # bridge opened: both words; "The baker won a prize" has all of the second title but the point; storm: none.
    assert row["metrics"]["performance"]["value"] == pytest.approx(100 * (1 + 4 / 5 + 0) / 3)
    assert row["metrics"]["robustness"] is not None
    assert row["metrics"]["fairness"] is None
    assert (board["memory_budget_gib"], board["task_dataset_weights"]) == (16, {"village-news": 2})

    asked = json.dumps({"story": "It snowed. Schools stay closed."})
    assert dynaboard("predict", submitted["id"], typed=asked)["answers"] == [{"answer": "It snowed"}]


def test_the_same_file_again_changes_nothing(dynaboard: Run, folder: Path) -> None:
    again = dynaboard("task", "apply", str(folder / "headlines.yaml"))
    assert (again["created"], again["changes"], again["version"]) == (False, [], 1)


def test_a_definition_is_shown_as_the_file_that_makes_it(dynaboard: Run, folder: Path) -> None:
    shown = dynaboard("task", "show", "headlines")["definition"]
    file = folder / "shown.yaml"
    file.write_text(write_bundle(TaskBundle.model_validate(shown)))
    assert dynaboard("task", "apply", str(file), "--dry-run")["changes"] == []


def test_a_test_set_is_handed_out_without_labels_and_opened_on_its_day(dynaboard: Run, folder: Path) -> None:
    dates = ["--opens", "2026-01-01T00:00:00Z", "--releases", "2126-01-01T00:00:00Z"]
    words = ["--licence", "CC0-1.0", "--citation", "This test.", "--role", "standard"]
    mapping = ["--mapping", json.dumps({"inputs": {"story": "body"}, "answers": "titles"})]
    named = ["--task", "headlines", "--name", "next-news"]
    file = folder / "next.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS[::-1]))
    added = dynaboard("datasets", "add", str(file), *named, *words, *mapping, *dates)
    assert added["phase"] == "test-unlabelled"
    assert dynaboard("datasets", "inputs", "next-news") == {"id": "2", "story": ROWS[0]["body"]}
    changed = dynaboard("datasets", "change", "next-news", "--releases", "2026-01-02T00:00:00Z")
    assert changed["phase"] == "labels-released"
    assert dynaboard("datasets", "sample", "next-news")[0]["answers"] == ROWS[2]["titles"]
