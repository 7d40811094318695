"""Fits the TF-IDF model with scikit-learn and stores it as JSON and npz, which cannot run code when loaded."""

import json
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from dynaboard.nlp_tasks import Task
from examples.models.tfidf.handler import features
from examples.rows import Row

MANY_ROWS = 5_000


def train(task: Task, rows: list[Row], folder: Path) -> int:
    """Fits on `rows` and writes vocabulary and weights into `folder`. Returns the number of parameters.

    Where there is plenty of data, a feature seen once is a typing error more often than a word.
    """
    seen_in = 2 if len(rows) > MANY_ROWS else 1
    vectorizer = TfidfVectorizer(analyzer=features, sublinear_tf=True, min_df=seen_in, max_features=100_000)
    matrix = vectorizer.fit_transform(rows)
    model = LogisticRegression(max_iter=1_000).fit(matrix, [row["label"] for row in rows])
    coefficients, intercept = model.coef_, model.intercept_
    if len(model.classes_) == 2:  # scikit-learn keeps one column for two labels; the other one is zero
        coefficients, intercept = np.vstack([0 * coefficients, coefficients]), np.append(0, intercept)
    known = {"labels": model.classes_.tolist(), "features": vectorizer.get_feature_names_out().tolist()}
    (folder / "vocabulary.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
    np.savez(
        folder / "weights.npz",
        idf=vectorizer.idf_.astype(np.float32),
        coefficients=np.ascontiguousarray(coefficients.T, np.float32),
        intercept=intercept.astype(np.float32),
    )
    return int(coefficients.size + intercept.size)
