"""Sentence embeddings of MiniLM (Reimers and Gurevych 2019; Wang et al. 2020) under logistic regression."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

TEXT_FIELDS = ("statement", "text", "hypothesis")
BATCH = 32
LONGEST = 256  # tokens; the model was trained on no more

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float32]]


class Encoder:
    """Texts to vectors of length one, by the mean of their token vectors."""

    def __init__(self, folder: Path) -> None:
        # More threads than cores of the slot make small batches slower, not faster.
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        self.tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        self.model = AutoModel.from_pretrained(str(folder), local_files_only=True).eval()

    def encode(self, texts: list[str]) -> Matrix:
        """One row of float32 a text, in the texts' order. Batches hold texts of like length, so little is padding."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        blocks = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
        vectors: Matrix = np.zeros((len(texts), self.model.config.hidden_size), np.float32)
        for block in blocks:
            vectors[block] = self._encode([texts[index] for index in block])
        return vectors

    @torch.inference_mode()
    def _encode(self, texts: list[str]) -> Matrix:
        batch = self.tokenizer(texts, padding=True, truncation=True, max_length=LONGEST, return_tensors="pt")
        states = self.model(**batch).last_hidden_state
        real = batch["attention_mask"].unsqueeze(-1)
        means = (states * real).sum(1) / real.sum(1).clamp(min=1)
        unit: Matrix = torch.nn.functional.normalize(means, dim=1).numpy()
        return unit


def features(encoder: Encoder, examples: list[dict[str, str]]) -> Matrix:
    """What the classifier sees: the text's vector, or for a pair both vectors, their difference and product."""
    texts = encoder.encode([next(example[field] for field in TEXT_FIELDS if field in example) for example in examples])
    if not examples or "context" not in examples[0]:
        return texts
    contexts = encoder.encode([example["context"] for example in examples])
    return np.hstack([contexts, texts, np.abs(contexts - texts), contexts * texts])


class Handler:
    """The class the platform loads."""

    def load(self, model_dir: str) -> None:
        self.encoder = Encoder(Path(model_dir, "encoder"))
        with np.load(Path(model_dir, "head.npz"), allow_pickle=False) as head:
            self.labels: list[str] = head["labels"].tolist()
            self.coefficients = head["coefficients"]  # (features, labels)
            self.intercept = head["intercept"]  # (labels,)

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        scores = features(self.encoder, examples) @ self.coefficients + self.intercept
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares = odds / odds.sum(axis=1, keepdims=True)
        return [self._answer(example["id"], row.tolist()) for example, row in zip(examples, shares, strict=True)]

    def _answer(self, wire_id: str, shares: list[float]) -> dict[str, Any]:
        prob = dict(zip(self.labels, shares, strict=True))
        return {"id": wire_id, "label": max(prob, key=prob.__getitem__), "prob": prob}
