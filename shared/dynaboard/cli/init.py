"""`dynaboard init`: writes a submitter's folder that works, for any task and framework."""

import json
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from dynaboard.errors import Invalid
from dynaboard.manifest import MANIFEST, read_manifest
from dynaboard.nlp_tasks import TASKS, Task

TEMPLATE = Path(__file__).parent / "template"


@dataclass(frozen=True)
class Framework:
    """What a template needs installed, and the file its train.py writes (empty where nothing has to be trained)."""

    requirements: tuple[str, ...] = ()
    extra: str = "runtime"
    weights: str = ""
    batch_size: int = 128


FRAMEWORKS = {
    "plain": Framework(),
    "scikit-learn": Framework(("scikit-learn", "joblib"), weights="model.joblib"),
    "fasttext": Framework(("fasttext", "numpy"), weights="model.bin"),
    "transformers": Framework(("torch", "transformers"), extra="runtime,torch", weights="model/", batch_size=32),
}


def write_template(folder: Path, task: str, framework: str, name: str) -> list[Path]:
    """Writes the template into `folder`, made if missing, and returns the files written.

    Raises Invalid for an unknown task or framework, a name the platform would refuse, and a folder that holds anything.
    """
    if task not in TASKS:
        raise Invalid(f"There is no task {task!r}; choose one of {', '.join(TASKS)}.")
    if framework not in FRAMEWORKS:
        raise Invalid(f"There is no template for {framework!r}; choose one of {', '.join(FRAMEWORKS)}.")
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Invalid(f"{folder} exists and is not an empty folder; name another one.")
    words = _words(TASKS[task], framework, name)
    texts = {file: _filled(source, words) for file, source in _sources(TASKS[task], framework).items()}
    read_manifest(texts[MANIFEST].encode())  # a name that cannot be submitted is refused before anything is written
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")
    return sorted(folder / file for file in texts)


def _sources(task: Task, framework: str) -> dict[str, Path]:
    """Where each file comes from: from the parts all templates share, the framework's, and its part for such tasks."""
    such_tasks = "classification" if task.labels else "qa"
    parts = (TEMPLATE, TEMPLATE / framework, TEMPLATE / framework / such_tasks)
    sources = {path.name: path for part in parts for path in part.iterdir() if path.is_file()}
    sources["samples.jsonl"] = _samples(task)
    if framework == "plain" and task.labels:
        sources["clues.json"] = TEMPLATE / "clues" / f"{task.name}.json"
    return sources


def _samples(task: Task) -> Path:
    return TEMPLATE / "samples" / f"{task.name}.jsonl"


def _filled(path: Path, words: dict[str, str]) -> str:
    # safe: a template may hold a dollar sign of its own
    return Template(path.read_text(encoding="utf-8")).safe_substitute(words)


def _words(task: Task, framework: str, name: str) -> dict[str, str]:
    """What stands in the templates' gaps."""
    kind = FRAMEWORKS[framework]
    row = json.loads(_samples(task).read_text(encoding="utf-8").partition("\n")[0])
    train = f"\n   and train it on the samples or on rows of your own: `python train.py` writes `{kind.weights}`"
    return {
        "name": name,
        "task": task.name,
        "title": task.title.lower(),
        "framework": framework,
        "inputs": '", "'.join(task.inputs),
        "labels": '", "'.join(task.labels),
        "requirements": ", ".join(kind.requirements),
        "batch_size": str(kind.batch_size),
        "training_data": "The sample rows of the template." if kind.weights else "None.",
        "install": f'pip install "dynaboard[{kind.extra}]"',
        "train": f",{train}." if kind.weights else ".",
        "example": json.dumps({"id": "0", **{field: row[field] for field in task.inputs}}),
        "answer": _answer(task, row),
        "rule": _rule(task),
    }


def _answer(task: Task, row: dict[str, Any]) -> str:
    """An answer to the sample `row` as the contract wants it."""
    if not task.labels:
        return json.dumps({"id": "0", "answer": row["answers"][0], "conf": 0.9})
    prob = {label: 0.9 if label == row["label"] else round(0.1 / (len(task.labels) - 1), 2) for label in task.labels}
    return json.dumps({"id": "0", "label": row["label"], "prob": prob})


def _rule(task: Task) -> str:
    if not task.labels:
        return "The answer must be an exact span of the context. `conf`, from 0 to 1, may be left out."
    return f"The label is one of {', '.join(task.labels)}. `prob` may be left out; where it stands, it sums to 1."
