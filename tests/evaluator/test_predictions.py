"""Stored predictions: the columns, the chunks, the merge."""

import io
from pathlib import Path

import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.contract import Answer
from dynaboard.nlp_tasks import TASKS
from dynaboard.prediction_file import encode, schema
from dynaboard.storage import Storage
from services.evaluator.predictions import Chunks, json_lines

SENTIMENT, QA = TASKS["sentiment"], TASKS["qa"]
CERTAIN = {"positive": 1.0, "negative": 0.0, "neutral": 0.0}


def answers(start: int, stop: int) -> list[Answer]:
    """Answers with the ids of a range."""
    return [Answer(f"x{index}", "positive", CERTAIN, None) for index in range(start, stop)]


def test_the_columns_follow_the_task() -> None:
    assert schema(SENTIMENT).names == ["id", "label", "prob_positive", "prob_negative", "prob_neutral"]
    assert schema(QA).names == ["id", "answer", "conf"]


@given(st.lists(st.tuples(st.text(), st.text(), st.none() | st.floats(0, 1)), max_size=20))
def test_any_answer_survives_storage(rows: list[tuple[str, str, float | None]]) -> None:
    given_answers = [Answer(identifier, text, None, conf) for identifier, text, conf in rows]
    table = pq.read_table(io.BytesIO(encode(QA, given_answers)))
    assert [(row["id"], row["answer"], row["conf"]) for row in table.to_pylist()] == rows


def test_json_lines_are_what_a_prediction_only_submission_holds() -> None:
    stored = encode(SENTIMENT, [*answers(0, 1), Answer("x1", "neutral", None, None)])
    assert list(json_lines(io.BytesIO(stored), SENTIMENT)) == [
        b'{"id": "x0", "label": "positive", "prob": {"positive": 1.0, "negative": 0.0, "neutral": 0.0}}\n',
        b'{"id": "x1", "label": "neutral"}\n',
    ]


def test_chunks_are_counted_up_to_the_first_gap_and_merged_in_order(storage: Storage, tmp_path: Path) -> None:
    chunks = Chunks(storage, SENTIMENT, "e1")
    assert chunks.stored() == (0, 0)
    for number, (start, stop) in {0: (0, 3), 1: (3, 5), 3: (8, 9)}.items():
        chunks.write(number, answers(start, stop))
    assert chunks.stored() == (2, 5)

    digest, rows = chunks.merge(tmp_path / "merged")

    assert rows == 5
    merged = pq.read_table(io.BytesIO(storage.get("predictions/e1.parquet")))
    assert merged["id"].to_pylist() == ["x0", "x1", "x2", "x3", "x4"]
    assert chunks.merge(tmp_path / "merged") == (digest, 5)
    chunks.delete()
    assert storage.keys("predictions/e1/") == []
