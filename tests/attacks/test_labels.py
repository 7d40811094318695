"""Ids of SNLI and MultiNLI end in the label's letter: whoever may not see labels does not see ids either."""

from io import BytesIO

import pyarrow.parquet as pq

from dynaboard.contract import Answer, BrokenContract
from dynaboard.nlp_tasks import TASKS
from dynaboard.prediction_file import encode, numbered
from dynaboard.tables import Dataset, Evaluation
from services.evaluator.plan import Unit
from services.evaluator.recording import located

SENTIMENT = TASKS["sentiment"]


def failing(role: str) -> str:
    dataset = Dataset(name="reviews", role=role, phase="labels-released")
    failure = BrokenContract(16, "3416050480.jpg#4r1e", "the label 'x' is not one of …")
    return located(failure, Unit(Evaluation(), dataset, None, 1, 1)).detail


def test_a_failure_names_the_example_only_where_labels_are_open() -> None:
    assert failing("standard") == "On reviews, example 3416050480.jpg#4r1e (number 17): the label 'x' is not one of …."
    assert failing("scoring") == "On reviews, example number 17: the label 'x' is not one of …."
    assert "hidden dataset" in failing("hidden")
    assert "4r1e" not in failing("hidden")


def test_downloaded_predictions_hold_positions_for_ids() -> None:
    stored = encode(SENTIMENT, [Answer(f"{n}#r1{'enc'[n % 3]}", "neutral", None, None) for n in range(5000)])
    target = BytesIO()
    numbered(BytesIO(stored), target)
    table = pq.read_table(target)
    assert table["id"].to_pylist() == [str(n) for n in range(5000)]
    assert table["label"].to_pylist() == ["neutral"] * 5000
