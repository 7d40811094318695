"""Any Hugging Face sequence classifier saved in the folder model/. train.py makes one, from scratch or from another."""

import os
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

INPUTS = ["$inputs"]  # the fields of an example; two of them are read as a pair


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`; there is no network."""
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
        folder = Path(model_dir, "model")
        self.tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.model = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True).eval()
        self.labels = [self.model.config.id2label[index] for index in range(self.model.config.num_labels)]

    @torch.inference_mode()
    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        texts = [[example[field] for example in examples] for field in INPUTS]
        batch = self.tokenizer(*texts, padding=True, truncation=True, max_length=256, return_tensors="pt")
        shares = self.model(**batch).logits.softmax(dim=1).tolist()
        probs = [dict(zip(self.labels, row, strict=True)) for row in shares]
        return [
            {"id": example["id"], "label": max(prob, key=prob.__getitem__), "prob": prob}
            for example, prob in zip(examples, probs, strict=True)
        ]
