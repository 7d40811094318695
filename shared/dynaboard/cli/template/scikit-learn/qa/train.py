"""Learns which words are common: python train.py [ROWS.jsonl]"""

import json
import sys
from pathlib import Path

import joblib
from sklearn.feature_extraction.text import TfidfVectorizer

HERE = Path(__file__).parent

source = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "samples.jsonl"
rows = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
texts = {row[field] for row in rows for field in ("context", "question")}
joblib.dump(TfidfVectorizer(sublinear_tf=True).fit(sorted(texts)), HERE / "model.joblib")
print(f"Trained on {len(rows)} rows of {source.name}.")
