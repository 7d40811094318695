"""Learns word vectors: python train.py [ROWS.jsonl]"""

import json
import sys
import tempfile
from pathlib import Path

import fasttext
from handler import line

HERE = Path(__file__).parent

source = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples.jsonl"
rows = [json.loads(row) for row in source.read_text(encoding="utf-8").splitlines()]
texts = {row[field] for row in rows for field in ("context", "question")}
with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as lines:
    lines.writelines(f"{line(text)}\n" for text in sorted(texts))
    lines.flush()
    # One thread gives the same model every time; few buckets keep the file small.
    model = fasttext.train_unsupervised(lines.name, minCount=1, epoch=25, dim=20, bucket=20_000, thread=1)
model.save_model(str(HERE / "model.bin"))
print(f"Trained on {len(rows)} rows of {source.name}.")
