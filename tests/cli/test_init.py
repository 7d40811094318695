"""`dynaboard init`: what it writes works."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from dynaboard.cli.init import FRAMEWORKS, write_template
from dynaboard.errors import Invalid
from dynaboard.manifest import read_manifest
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime.trial_examples import trial_batches
from tests.examples.plain_python import answers

needs_torch = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("torch", "transformers")),
    reason="the transformers template needs torch and transformers",
)
TEMPLATES = [
    pytest.param(task, framework, marks=[needs_torch] if framework == "transformers" else [])
    for task in TASKS
    for framework in FRAMEWORKS
]


@pytest.mark.parametrize(("task", "framework"), TEMPLATES)
def test_a_template_keeps_the_contract_once_trained(task: str, framework: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    write_template(folder, task, framework, "first")
    if FRAMEWORKS[framework].weights:
        command = [sys.executable, str(folder / "train.py")]
        training = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert training.returncode == 0, training.stderr[-2000:]
        assert (folder / FRAMEWORKS[framework].weights).exists()
    samples = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    batches = [samples, *trial_batches(TASKS[task], 16)]
    read = answers(folder, TASKS[task], batches, tmp_path / "reply.json")
    assert [len(batch) for batch in read] == [len(batch) for batch in batches]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_no_gap_of_a_template_is_left_open(task: str, framework: str, tmp_path: Path) -> None:
    gaps = ("$name", "$task", "$inputs", "$labels", "$requirements", "$train", "$example", "$answer", "$rule")
    for file in write_template(tmp_path / "model", task, framework, "first"):
        assert not [gap for gap in gaps if gap in file.read_text()], file.name


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_manifest_can_be_submitted_and_says_what_to_install(framework: str, tmp_path: Path) -> None:
    write_template(tmp_path, "nli", framework, "my-first-model")
    manifest = read_manifest((tmp_path / "dynaboard.yaml").read_bytes())
    assert (manifest.name, manifest.task) == ("my-first-model", "nli")
    assert manifest.requirements == FRAMEWORKS[framework].requirements


def test_all_files_written_are_told(tmp_path: Path) -> None:
    written = write_template(tmp_path / "model", "sentiment", "plain", "first")
    assert written == sorted((tmp_path / "model").iterdir())
    assert {"dynaboard.yaml", "handler.py", "README.md", "samples.jsonl"} <= {file.name for file in written}


def test_the_readme_shows_the_way_to_the_leaderboard(tmp_path: Path) -> None:
    write_template(tmp_path, "qa", "fasttext", "first")
    readme = (tmp_path / "README.md").read_text()
    for step in ("python train.py", "dynaboard check .", "dynaboard submit .", '"answer": "1790"'):
        assert step in readme


def test_a_folder_that_holds_anything_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(Invalid, match="not an empty folder"):
        write_template(tmp_path, "nli", "plain", "first")
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize(
    ("task", "framework", "name", "complaint"),
    [
        ("summarisation", "plain", "first", "choose one of nli, qa, sentiment, hate-speech"),
        ("nli", "keras", "first", "choose one of plain, scikit-learn, fasttext, transformers"),
        ("nli", "plain", "übermodel", "`name` may hold"),
    ],
)
def test_what_does_not_exist_is_refused_with_what_does(
    task: str, framework: str, name: str, complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(Invalid, match=complaint):
        write_template(tmp_path / "model", task, framework, name)
    assert not (tmp_path / "model").exists()
