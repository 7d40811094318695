"""`dynaboard init`: a model that works, to start from."""

from pathlib import Path
from typing import Annotated

import typer

from dynaboard.cli.options import Json, task_name
from dynaboard.cli.output import print_json


def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Made if it does not exist.")],
    task: Annotated[str, typer.Option("--task", metavar="TASK", help="nli, qa, sentiment or hate-speech.")],
    framework: Annotated[
        str, typer.Option(metavar="FRAMEWORK", help="plain, scikit-learn, fasttext or transformers.")
    ] = "plain",
    name: Annotated[str | None, typer.Option(help="The model's name; default: the folder's.")] = None,
    as_json: Json = False,
) -> None:
    """Write a working model to start from."""
    from dynaboard.cli.init import write_template

    files = write_template(folder, task_name(task), framework, name or folder.resolve().name)
    if as_json:
        print_json(
            {"folder": str(folder), "task": task, "framework": framework, "files": [str(file) for file in files]}
        )
        return
    train = any(file.name == "train.py" for file in files)
    first = f"train it with `cd {folder} && python train.py`, then `dynaboard check {folder}`"
    print(f"{folder} holds a {task} model; {first if train else f'try `dynaboard check {folder}`'}.")
