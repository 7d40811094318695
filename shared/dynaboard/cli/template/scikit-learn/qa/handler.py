"""Answers with the sentence of the context nearest to the question in TF-IDF space. train.py makes model.joblib."""

import re
from pathlib import Path
from typing import Any

import joblib


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`."""
        self.vectorizer = joblib.load(Path(model_dir, "model.joblib"))

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        return [self.answer(example) for example in examples]

    def answer(self, example: dict[str, str]) -> dict[str, Any]:
        candidates = sentences(example["context"])
        # The vectors have length one, so their product is the cosine.
        cosines = self.vectorizer.transform(candidates) @ self.vectorizer.transform([example["question"]]).T
        nearness = cosines.toarray()[:, 0]
        best = int(nearness.argmax())
        # An answer must be an exact span of the context; `conf` may say how sure the model is, from 0 to 1.
        return {"id": example["id"], "answer": candidates[best], "conf": min(float(nearness[best]), 1.0)}


def sentences(context: str) -> list[str]:
    """The sentences of `context`, exactly as they stand there."""
    return re.split(r"(?<=[.!?])\s+", context)
