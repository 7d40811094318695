"""Trains the model: python train.py [ROWS.jsonl]"""

import json
import random
import sys
import tempfile
from pathlib import Path

import fasttext
from handler import PREFIX, line

HERE = Path(__file__).parent

source = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples.jsonl"
rows = [json.loads(row) for row in source.read_text(encoding="utf-8").splitlines()]
random.Random(0).shuffle(rows)  # fastText reads in order, and sorted rows would teach it the last label
with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as lines:
    lines.writelines(f"{PREFIX}{row['label']} {line(row)}\n" for row in rows)
    lines.flush()
    # One thread gives the same model every time; few buckets keep the file small.
    model = fasttext.train_supervised(lines.name, epoch=25, lr=0.3, dim=20, bucket=20_000, minn=3, maxn=4, thread=1)
model.save_model(str(HERE / "model.bin"))
print(f"Trained on {len(rows)} rows of {source.name}.")
