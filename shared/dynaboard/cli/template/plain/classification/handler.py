"""A model in plain Python: it counts words that hint at a label. The hints lie in clues.json."""

import json
import re
from pathlib import Path
from typing import Any

INPUTS = ["$inputs"]  # the fields of an example


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`."""
        self.clues: dict[str, list[str]] = json.loads(Path(model_dir, "clues.json").read_text(encoding="utf-8"))

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        return [self.answer(example) for example in examples]

    def answer(self, example: dict[str, str]) -> dict[str, Any]:
        words = re.findall(r"[\w']+", " ".join(example[field] for field in INPUTS).lower())
        # One more than counted, so that no label is ever impossible.
        counts = {label: 1 + sum(word in clues for word in words) for label, clues in self.clues.items()}
        prob = {label: count / sum(counts.values()) for label, count in counts.items()}
        return {"id": example["id"], "label": max(prob, key=prob.__getitem__), "prob": prob}
