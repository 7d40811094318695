"""Trains the reference models and writes each as a folder ready for `dynaboard submit`.

python -m examples.build OUT                                     every default kind for every task
python -m examples.build OUT --task sentiment --train FILE       on training data of your own
"""

import argparse
import importlib
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

import yaml

from dynaboard.errors import DynaboardError, Invalid
from dynaboard.nlp_tasks import TASKS, Task
from examples.rows import Row, read_rows

HERE = Path(__file__).parent
CLASSIFICATION = tuple(task.name for task in TASKS.values() if task.labels)
UNTRAINED = "None; it follows fixed rules."


@dataclass(frozen=True)
class Kind:
    """A way to make a model: `source` is its folder under examples/models. Without `trained` there is no train.py."""

    source: str
    tasks: tuple[str, ...] = CLASSIFICATION
    trained: bool = True
    by_default: bool = True


KINDS = {
    "majority": Kind("majority"),
    "tfidf": Kind("tfidf"),
    "fasttext": Kind("fasttext"),
    "minilm": Kind("minilm", by_default=False),  # needs torch and a package of weights
    "return-context": Kind("return_context", ("qa",), trained=False),
    "lexical-overlap": Kind("lexical_overlap", ("qa",), trained=False),
}


def build(kind: str, task: Task, train: Path, folder: Path) -> Path:
    """Writes the model `kind` for `task`, trained on the file `train`, into the new folder `folder`. Returns it.

    The same training file gives the same bytes. The folder's name is the model's name.
    """
    source = HERE / "models" / KINDS[kind].source
    rows = read_rows(train, task) if KINDS[kind].trained else []
    folder.mkdir(parents=True)
    shutil.copyfile(source / "handler.py", folder / "handler.py")
    parameters = _train(source.name, task, rows, folder) if KINDS[kind].trained else 0
    told = f"{len(rows)} rows of {train.name}." if rows else UNTRAINED
    manifest = Template((source / "dynaboard.yaml").read_text(encoding="utf-8"))
    filled = manifest.substitute(name=folder.name, task=task.name, parameters=parameters, training_data=told)
    (folder / "dynaboard.yaml").write_text(filled, encoding="utf-8")
    return folder


def _train(source: str, task: Task, rows: list[Row], folder: Path) -> int:
    """Runs the kind's train.py, imported only now: a kind's libraries are needed only by who builds it."""
    module = importlib.import_module(f"examples.models.{source}.train")
    parameters: int = module.train(task, rows, folder)
    return parameters


def training_file(data: Path, task: Task) -> Path:
    """The training file of `task` in the catalogue `data`/datasets.yaml. Raises Invalid if it lists none."""
    for dataset in yaml.safe_load((data / "datasets.yaml").read_text(encoding="utf-8")):
        if dataset["task"] == task.name and dataset["role"] == "training":
            return data / str(dataset["file"])
    raise Invalid(f"{data}/datasets.yaml lists no training data for {task.name}; name a file with --train.")


def build_all(args: argparse.Namespace) -> list[Path]:
    """Builds what the command line asks for, a kind at a time; a kind that does not fit a task is passed over."""
    built = []
    for task in (TASKS[name] for name in args.task or TASKS):
        train = args.train or training_file(args.data, task)
        for kind in (kind for kind in args.kinds if task.name in KINDS[kind].tasks):
            folder = args.out / "-".join(part for part in (kind, task.name, args.name_suffix) if part)
            shutil.rmtree(folder, ignore_errors=True)
            built.append(build(kind, task, train, folder))
            print(folder)
    return built


def _kinds(text: str) -> list[str]:
    kinds = text.split(",")
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise argparse.ArgumentTypeError(f"no such kind: {', '.join(unknown)}; choose from {', '.join(KINDS)}")
    return kinds


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m examples.build", description="Builds the reference models.")
    parser.add_argument("out", type=Path, help="where the model folders go; folders of the same names are replaced")
    parser.add_argument("--data", type=Path, default=HERE / "datasets", help="a folder with datasets.yaml")
    parser.add_argument("--task", action="append", choices=TASKS, help="only this task; may be repeated")
    parser.add_argument("--train", type=Path, help="train on this .jsonl or .jsonl.gz instead; needs one --task")
    default = [name for name, kind in KINDS.items() if kind.by_default]
    parser.add_argument("--kinds", type=_kinds, default=default, help=f"of {','.join(KINDS)}; default all but minilm")
    parser.add_argument("--name-suffix", default="", help="ends every name: `mine` gives tfidf-nli-mine")
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    """The command line; ends with one sentence when something is wrong."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.train and len(args.task or ()) != 1:
        parser.error("--train needs exactly one --task")
    try:
        build_all(args)
    except (DynaboardError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
