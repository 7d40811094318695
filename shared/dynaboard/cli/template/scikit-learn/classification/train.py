"""Trains the model: python train.py [ROWS.jsonl]"""

import json
import sys
from pathlib import Path

import joblib
from handler import text_of
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

HERE = Path(__file__).parent

source = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples.jsonl"
rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
model = make_pipeline(TfidfVectorizer(sublinear_tf=True), LogisticRegression(max_iter=1_000))
model.fit([text_of(row) for row in rows], [row["label"] for row in rows])
joblib.dump(model, HERE / "model.joblib")
print(f"Trained on {len(rows)} rows of {source.name}.")
