"""Trains fastText: one thread and a seed, so that the same rows give the same file."""

import random
import tempfile
from pathlib import Path

import fasttext

from dynaboard.nlp_tasks import Task
from examples.models.fasttext.handler import PREFIX, line
from examples.rows import Row

# Few rows are read often, many rows seldom: the model sees about this many in all.
ROWS_SEEN = 50_000
BUCKETS = 20_000
DIMENSIONS = 20


def train(task: Task, rows: list[Row], folder: Path) -> int:
    """Trains on `rows` and writes `model.bin` (about 2 MB) into `folder`. Returns the number of parameters."""
    mixed = random.Random(0).sample(
        rows, len(rows)
    )  # fastText reads in order; sorted rows would teach it the last label
    with tempfile.TemporaryDirectory() as scratch:
        lines = Path(scratch, "train.txt")
        lines.write_text("".join(f"{PREFIX}{row['label']} {line(row)}\n" for row in mixed), encoding="utf-8")
        model = fasttext.train_supervised(
            str(lines),
            lr=0.3,
            epoch=min(max(ROWS_SEEN // len(rows), 5), 100),
            dim=DIMENSIONS,
            bucket=BUCKETS,
            minn=3,  # parts of words: a typing error leaves most of them as they were
            maxn=4,
            thread=1,
            seed=1,
            verbose=0,
        )
    model.save_model(str(folder / "model.bin"))
    return DIMENSIONS * (len(model.get_words()) + BUCKETS + len(model.get_labels()))
