"""TF-IDF and logistic regression, trained with scikit-learn, run with numpy alone: small, fast, without pickle."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

TEXT_FIELDS = ("statement", "text", "hypothesis")
Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


def words(text: str) -> list[str]:
    """Lower-case words, with ! and ? as words of their own."""
    return re.findall(r"[\w'-]+|[!?]", text.lower().replace("’", "'"))


def features(example: dict[str, str]) -> list[str]:
    """What the model counts: words and, where there is a context, which and how many of them the context lacks.

    One function for training and serving, so that the two cannot drift apart.
    """
    counted = said = words(next(example[field] for field in TEXT_FIELDS if field in example))
    if "context" in example:
        given = set(words(example["context"]))
        new = [word for word in said if word not in given]
        counted = [*said, *(f"+{word}" for word in new)]
        counted += [f"new words: {min(len(new), 5)}"] * 3  # three times, to weigh as much as a few words
        counted += [f"share of new words: {round(4 * len(new) / max(len(said), 1))}/4"] * 3
    return counted


class Handler:
    """The class the platform loads."""

    def load(self, model_dir: str) -> None:
        known = json.loads(Path(model_dir, "vocabulary.json").read_text(encoding="utf-8"))
        self.labels: list[str] = known["labels"]
        self.column: dict[str, int] = {feature: column for column, feature in enumerate(known["features"])}
        with np.load(Path(model_dir, "weights.npz"), allow_pickle=False) as weights:
            self.idf = weights["idf"]  # (features,)
            self.coefficients = weights["coefficients"]  # (features, labels)
            self.intercept = weights["intercept"]  # (labels,)

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        return [self._answer(example) for example in examples]

    def _answer(self, example: dict[str, str]) -> dict[str, Any]:
        scores = self._scores(example)
        odds = np.exp(scores - scores.max())
        prob = dict(zip(self.labels, (odds / odds.sum()).tolist(), strict=True))
        return {"id": example["id"], "label": self.labels[int(scores.argmax())], "prob": prob}

    def _scores(self, example: dict[str, str]) -> Vector:
        """One score a label: sublinear TF-IDF of unit length, times the coefficients."""
        counts = Counter(self.column[feature] for feature in features(example) if feature in self.column)
        columns = np.fromiter(counts.keys(), np.int64, len(counts))
        tfidf = (1 + np.log(np.fromiter(counts.values(), np.float32, len(counts)))) * self.idf[columns]
        length = float(np.linalg.norm(tfidf)) or 1.0
        scores: Vector = tfidf / length @ self.coefficients[columns] + self.intercept
        return scores
