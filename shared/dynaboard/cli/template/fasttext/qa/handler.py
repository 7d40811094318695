"""Answers with the sentence whose fastText vector is nearest to the question's. train.py makes model.bin."""

import re
from pathlib import Path
from typing import Any

import fasttext
import numpy as np


def line(text: str) -> str:
    """What the model reads: words on one line. train.py uses it too, so training and serving cannot drift apart."""
    return " ".join(re.findall(r"[\w']+", text.lower()))


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`."""
        self.model = fasttext.load_model(str(Path(model_dir, "model.bin")))

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        return [self.answer(example) for example in examples]

    def answer(self, example: dict[str, str]) -> dict[str, Any]:
        candidates = sentences(example["context"])
        question = self.vector(example["question"])
        cosines = [float(self.vector(sentence) @ question) for sentence in candidates]
        best = max(range(len(candidates)), key=cosines.__getitem__)
        # An answer must be an exact span of the context; `conf` may say how sure the model is, from 0 to 1.
        return {"id": example["id"], "answer": candidates[best], "conf": min(max(cosines[best], 0.0), 1.0)}

    def vector(self, text: str) -> np.ndarray:
        """The mean of the words' vectors, at length one; zero where there are no words."""
        mean = self.model.get_sentence_vector(line(text))
        return mean / (np.linalg.norm(mean) or 1.0)


def sentences(context: str) -> list[str]:
    """The sentences of `context`, exactly as they stand there."""
    return re.split(r"(?<=[.!?])\s+", context)
