"""On real predictions: a model that is submitted twice is not called different from itself.

The TF-IDF example is trained on SST as `make demo-real` does and answers SST's test set. Each time it is asked
another half of it, and the costs of both names are measured anew.
"""

import os
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dynaboard.nlp_tasks import TASKS
from examples.build import build
from examples.rows import read_rows
from services.scoring.board import FloatArray
from tests.scoring.simulated import Truth, observed
from tests.scoring.test_uncertainty_simulated import different, judged

DATA = os.environ.get("DYNABOARD_DATA", "")
TRAIN, TEST = (Path(DATA, "sentiment", f"sst3-{split}.jsonl.gz") for split in ("train", "test"))
RESUBMISSIONS = 50
SENTIMENT = TASKS["sentiment"]

pytestmark = pytest.mark.skipif(
    not (DATA and TRAIN.exists()), reason="DYNABOARD_DATA names no folder with SST in three labels"
)


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> FloatArray:
    """Whether the model is right on each example of the test set, shape (examples,)."""
    handler = loaded(build("tfidf", SENTIMENT, TRAIN, tmp_path_factory.mktemp("models") / "tfidf-sentiment"))
    rows = read_rows(TEST, SENTIMENT)
    answers = handler.predict([{"id": str(place), "statement": row["statement"]} for place, row in enumerate(rows)])
    return np.array([answer["label"] == row["label"] for answer, row in zip(answers, rows, strict=True)], dtype=float)


def loaded(folder: Path) -> Any:
    """The model's handler, as the platform makes it."""
    spec = spec_from_file_location("handler_of_test", folder / "handler.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    handler = module.Handler()
    handler.load(str(folder))
    return handler


def called_different(right: FloatArray, draw: np.random.Generator) -> bool:
    """The model under two names on one half of the test set, measured twice, beside two others."""
    half = draw.permutation(len(right))[: len(right) // 2]
    own = right[half]
    # Neighbours that give the costs a price: one that errs more and is cheaper, one that errs less and is dearer.
    worse, better = own * (draw.random(len(own)) > 0.1), np.maximum(own, draw.random(len(own)) < 0.1)
    answers = np.column_stack([own, own, worse, better])
    accuracies = (100 * answers.mean(axis=0)).tolist()
    truth = Truth(accuracies, [300, 300, 900, 60], [0.2, 0.2, 0.1, 1.5], examples=len(own))
    board, resamples = observed(truth, answers, draw)
    return different(judged(board, resamples), 0, 1)


def test_one_model_under_two_names_is_not_called_different(right: FloatArray) -> None:
    draw = np.random.default_rng(20)
    assert 0.4 < right.mean() < 0.9, "the model must know something, and not all"
    found = sum(called_different(right, draw) for _ in range(RESUBMISSIONS))
    assert found <= 0.05 * RESUBMISSIONS
