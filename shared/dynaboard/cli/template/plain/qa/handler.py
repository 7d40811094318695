"""A model in plain Python: it answers with the sentence of the context that shares most words with the question."""

import re
from typing import Any


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`; this model needs none."""

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        return [self.answer(example) for example in examples]

    def answer(self, example: dict[str, str]) -> dict[str, Any]:
        asked = words(example["question"])
        best = max(sentences(example["context"]), key=lambda sentence: len(asked & words(sentence)))
        # An answer must be an exact span of the context; `conf` may say how sure the model is, from 0 to 1.
        return {"id": example["id"], "answer": best, "conf": len(asked & words(best)) / max(len(asked), 1)}


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def sentences(context: str) -> list[str]:
    """The sentences of `context`, exactly as they stand there."""
    return re.split(r"(?<=[.!?])\s+", context)
