"""Archives to hand in: an example model, one that fails, one that takes several parts to send."""

import json
from pathlib import Path

from dynaboard import archive
from dynaboard.nlp_tasks import TASKS
from examples import build
from tests.web.conftest import ROOT

PART_BYTES = 16 * 1024**2


def good(folder: Path, kind: str = "tfidf") -> Path:
    """A model of the example kind, under the folder's name."""
    task = TASKS["sentiment"]
    return _packed(build.build(kind, task, build.training_file(ROOT / "examples" / "datasets", task), folder))


def failing(folder: Path) -> Path:
    """A model that raises at the first example."""
    good(folder, "majority")
    handler = folder / "handler.py"
    head, _, tail = handler.read_text().partition("def predict(")
    signature, _, _ = tail.partition("\n")
    body = '        print("reading the weights")\n        raise RuntimeError("no weights here")\n'
    handler.write_text(f"{head}def predict({signature}\n{body}")
    return _packed(folder)


def large(folder: Path, parts: int) -> Path:
    """A model whose archive has so many parts."""
    good(folder, "majority")
    (folder / "weights.bin").write_bytes(bytes((parts - 1) * PART_BYTES + 1000))
    return _packed(folder)


def predictions_only(folder: Path, dataset: str) -> Path:
    """Predictions on one dataset, without a model: always positive."""
    examples = (ROOT / "examples" / "datasets" / f"{dataset}.jsonl").read_text().splitlines()
    answers = [{"id": json.loads(example)["id"], "label": "positive"} for example in examples]
    (folder / "predictions").mkdir(parents=True)
    lines = "".join(json.dumps(answer) + "\n" for answer in answers)
    (folder / "predictions" / f"{dataset}.jsonl").write_text(lines)
    card = "card: {summary: Always positive., licence: MIT}"
    (folder / "dynaboard.yaml").write_text(f"name: {folder.name}\ntask: sentiment\n{card}\n")
    return _packed(folder)


def _packed(folder: Path) -> Path:
    target = folder.with_suffix(".zip")
    archive.build(folder, target)
    return target
