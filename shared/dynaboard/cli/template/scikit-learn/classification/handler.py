"""TF-IDF and logistic regression with scikit-learn. train.py makes model.joblib."""

from pathlib import Path
from typing import Any

import joblib

INPUTS = ["$inputs"]  # the fields of an example


def text_of(example: dict[str, str]) -> str:
    """What the model reads. train.py uses it too, so that training and serving cannot drift apart."""
    return " ".join(example[field] for field in INPUTS)


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`."""
        self.model = joblib.load(Path(model_dir, "model.joblib"))

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        labels = self.model.classes_.tolist()
        shares = self.model.predict_proba([text_of(example) for example in examples]).tolist()
        probs = [dict(zip(labels, row, strict=True)) for row in shares]
        return [
            {"id": example["id"], "label": max(prob, key=prob.__getitem__), "prob": prob}
            for example, prob in zip(examples, probs, strict=True)
        ]
