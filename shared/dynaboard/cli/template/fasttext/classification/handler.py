"""A fastText classifier. train.py makes model.bin."""

import re
from pathlib import Path
from typing import Any

import fasttext

INPUTS = ["$inputs"]  # the fields of an example
PREFIX = "__label__"


def line(example: dict[str, str]) -> str:
    """What the model reads: words on one line. train.py uses it too, so training and serving cannot drift apart."""
    return " ".join(re.findall(r"[\w']+|[!?]", " ".join(example[field] for field in INPUTS).lower()))


class Handler:
    """The class named in dynaboard.yaml."""

    def load(self, model_dir: str) -> None:
        """Called once, first. Every file of this folder lies in `model_dir`."""
        self.model = fasttext.load_model(str(Path(model_dir, "model.bin")))
        self.labels = [label.removeprefix(PREFIX) for label in self.model.get_labels()]

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        """Called with at most `batch_size` examples. Returns one answer for each, with the example's own id."""
        return [self.answer(example) for example in examples]

    def answer(self, example: dict[str, str]) -> dict[str, Any]:
        # model.predict() fails with numpy 2; the function under it works with every release.
        found = self.model.f.predict(line(example) + "\n", len(self.labels), 0.0, "strict")
        shares = {label.removeprefix(PREFIX): share for share, label in found} or dict.fromkeys(self.labels, 1.0)
        # fastText's shares miss 1 by a little.
        prob = {label: share / sum(shares.values()) for label, share in shares.items()}
        return {"id": example["id"], "label": max(prob, key=prob.__getitem__), "prob": prob}
