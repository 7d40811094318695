"""The three AUCs of each identity term: equal to scikit-learn's on the same rows, and what is made of them."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from services.scoring.intervals import Estimate
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.bias import bias_estimates
from services.scoring.metrics.confidence import FloatArray

LABELS = ("hateful", "not-hateful")


def answers_of(positive: np.ndarray, scores: FloatArray) -> Answers:
    predictions = [LABELS[int(score < 0.5)] for score in scores]
    references = [[LABELS[int(not each)]] for each in positive]
    return Answers(predictions, references, LABELS, np.column_stack([scores, 1 - scores]))


def found_in(answers: Answers, tags: dict[str, list[int]], replicates: int = 50) -> dict[tuple[str, str], Estimate]:
    found = bias_estimates(answers, tags, seed=5, replicates=replicates)
    return {(each.metric.name, each.metric.tag): each for each in found}


def theirs(positive: np.ndarray, scores: FloatArray, member: np.ndarray) -> dict[str, float]:
    """The definition of AMI's task description, by scikit-learn."""
    rows = {
        "auc_subgroup": member,
        "auc_bpsn": (member & ~positive) | (~member & positive),
        "auc_bnsp": (member & positive) | (~member & ~positive),
    }
    return {name: float(roc_auc_score(positive[kept], scores[kept])) for name, kept in rows.items()}


def jigsaw(overall: float, terms: list[dict[str, float]]) -> float:
    """The formula of Jigsaw's competition: power -5, a quarter each."""
    means = [np.mean([term[name] ** -5.0 for term in terms]) ** (1 / -5.0) for name in terms[0]]
    return 100 * float(0.25 * overall + 0.25 * sum(means))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(20, 120), st.integers(1, 4), st.sampled_from([1, 12]))
def test_on_random_inputs_they_equal_scikit_learn(seed: int, count: int, terms: int, steps: int) -> None:
    draw = np.random.default_rng(seed)
    positive = draw.random(count) < 0.4
    scores = np.round(np.clip(0.3 * positive + 0.7 * draw.random(count), 0, 1) * 10 * steps) / (10 * steps)  # ties too
    members = {f"identity:t{number}": draw.random(count) < 0.3 for number in range(terms)}
    found = found_in(
        answers_of(positive, scores), {tag: np.flatnonzero(rows).tolist() for tag, rows in members.items()}
    )
    usable = {
        tag: theirs(positive, scores, rows)
        for tag, rows in members.items()
        if all((part & label).any() for part in (rows, ~rows) for label in (positive, ~positive))
    }
    for tag, expected in usable.items():
        for name, value in expected.items():
            assert found[name, tag].value == pytest.approx(100 * value, abs=1e-9)
    assert len(found) == (3 * len(usable) + 2 if usable else 0)
    if usable:
        overall = float(roc_auc_score(positive, scores))
        mean = np.mean([value for term in usable.values() for value in term.values()])
        assert found["ami_bias", ""].value == pytest.approx(50 * (overall + mean), abs=1e-9)
        assert found["jigsaw_bias", ""].value == pytest.approx(jigsaw(overall, list(usable.values())), abs=1e-9)


def test_a_model_that_dislikes_a_term_has_a_low_bpsn_for_it_alone() -> None:
    draw = np.random.default_rng(1)
    positive, member = draw.random(600) < 0.5, draw.random(600) < 0.2
    scores = np.clip(0.5 * positive + 0.4 * draw.random(600) + 0.1, 0, 1)
    scores[member & ~positive] = 0.99
    other = draw.random(600) < 0.2
    tags = {"identity:a": np.flatnonzero(member).tolist(), "identity:b": np.flatnonzero(other).tolist()}
    found = found_in(answers_of(positive, scores), tags, 200)
    assert found["auc_bpsn", "identity:a"].value < 10
    assert found["auc_bpsn", "identity:b"].value > 60
    assert found["auc_bpsn", "identity:a"].high < found["auc_bpsn", "identity:b"].low


def test_the_interval_is_as_wide_as_the_bootstrap_of_the_auc_itself() -> None:
    draw = np.random.default_rng(2)
    positive, member = draw.random(800) < 0.5, draw.random(800) < 0.4
    scores = np.clip(0.2 * positive + 0.8 * draw.random(800), 0, 1)
    found = found_in(answers_of(positive, scores), {"identity:a": np.flatnonzero(member).tolist()}, 1_000)
    again = []
    for _ in range(300):
        rows = draw.integers(0, 800, 800)
        again.append(theirs(positive[rows], scores[rows], member[rows])["auc_bnsp"])
    mine = found["auc_bnsp", "identity:a"]
    low, high = np.percentile(again, [2.5, 97.5])
    assert mine.high - mine.low == pytest.approx(100 * (high - low), rel=0.2)


def test_raw_and_synthetic_examples_are_told_apart_as_in_ami() -> None:
    draw = np.random.default_rng(4)
    positive, scores = draw.random(400) < 0.5, draw.random(400)
    raw, synthetic = np.arange(400) < 200, np.arange(400) >= 200
    member = draw.random(400) < 0.3
    tags = {"identity:a": np.flatnonzero(member).tolist(), "raw": list(range(200)), "synthetic": list(range(200, 400))}
    found = found_in(answers_of(positive, scores), tags)
    expected = theirs(positive[synthetic], scores[synthetic], member[synthetic])
    for name, value in expected.items():
        assert found[name, "identity:a"].value == pytest.approx(100 * value)
    overall = float(roc_auc_score(positive[raw], scores[raw]))
    assert found["ami_bias", ""].value == pytest.approx(50 * (overall + np.mean(list(expected.values()))))


def test_without_probabilities_there_is_nothing_to_say() -> None:
    answers = Answers(["hateful", "not-hateful"], [["hateful"], ["not-hateful"]], LABELS)
    assert bias_estimates(answers, {"identity:a": [0]}, seed=1) == []


DATA = os.environ.get("DYNABOARD_DATA")


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="set DYNABOARD_DATA to the folder of the public datasets")
@pytest.mark.timeout(900)
def test_on_77_thousand_sentences_and_a_trained_model_they_equal_scikit_learn(tmp_path: Path) -> None:
    from dynaboard.nlp_tasks import TASKS
    from examples import build
    from examples.models.tfidf.handler import Handler

    task = TASKS["hate-speech"]
    folder = build.build("tfidf", task, Path(DATA or "") / "hs" / "lftw-train.jsonl.gz", tmp_path / "model")
    handler = Handler()
    handler.load(str(folder))
    with gzip.open(Path(DATA or "") / "bias" / "madlibs77k-test.jsonl.gz") as lines:
        rows = [json.loads(line) for line in lines]
    examples = [{"id": str(number), "text": row["text"]} for number, row in enumerate(rows)]
    scores = np.array([answer["prob"]["hateful"] for answer in handler.predict(examples)])
    positive = np.array([row["label"] == "toxic" for row in rows])
    tags: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for term in row["identity_terms"]:
            tags.setdefault(f"identity:{term}", []).append(number)
    found = found_in(answers_of(positive, scores), tags, 1_000)
    terms = {}
    for tag, members in tags.items():
        member = np.zeros(len(rows), dtype=bool)
        member[members] = True
        terms[tag] = theirs(positive, scores, member)
        for name, value in terms[tag].items():
            assert found[name, tag].value == pytest.approx(100 * value, abs=1e-9)
    overall = float(roc_auc_score(positive, scores))
    assert found["jigsaw_bias", ""].value == pytest.approx(jigsaw(overall, list(terms.values())), abs=1e-9)
    print({name: round(each.value, 2) for (name, tag), each in found.items() if not tag}, round(100 * overall, 2))
