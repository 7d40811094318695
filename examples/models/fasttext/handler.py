"""A fastText classifier (Joulin et al. 2017): averaged vectors of words and their parts, then a softmax."""

import re
from pathlib import Path
from typing import Any

import fasttext

TEXT_FIELDS = ("statement", "text", "hypothesis")
PREFIX = "__label__"


def line(example: dict[str, str]) -> str:
    """The one line of words fastText sees; a word that the context, where there is one, does not hold gets a +."""
    said = _words(next(example[field] for field in TEXT_FIELDS if field in example))
    if "context" in example:
        given = set(_words(example["context"]))
        said = [word if word in given else f"+{word}" for word in said]
    return " ".join(said)


def _words(text: str) -> list[str]:
    # No word may contain white space: fastText takes a line break for the end of the example.
    return re.findall(r"[\w'-]+|[!?]", text.lower().replace("’", "'"))


class Handler:
    """The class the platform loads."""

    def load(self, model_dir: str) -> None:
        self.model = fasttext.load_model(str(Path(model_dir, "model.bin")))
        self.labels = [label.removeprefix(PREFIX) for label in self.model.get_labels()]

    def predict(self, examples: list[dict[str, str]]) -> list[dict[str, Any]]:
        return [self._answer(example) for example in examples]

    def _answer(self, example: dict[str, str]) -> dict[str, Any]:
        # model.predict() fails with numpy 2; the function under it works with every release.
        ranked = self.model.f.predict(line(example) + "\n", len(self.labels), 0.0, "strict")
        total = sum(share for share, _ in ranked)
        if not total:  # nothing to go by, not even one word
            ranked, total = [(1.0, PREFIX + label) for label in self.labels], float(len(self.labels))
        prob = {label.removeprefix(PREFIX): share / total for share, label in ranked}
        return {"id": example["id"], "label": max(prob, key=prob.__getitem__), "prob": prob}
