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
        str, typer.Option(metavar="FRAMEWORK", help="plain, sklearn, fasttext or transformers.")
    ] = "plain",
    name: Annotated[str | None, typer.Option(help="The model's name; default: the folder's.")] = None,
    as_json: Json = False,
) -> None:
    """Write a working model to start from."""
    from dynaboard.cli.init import write_template

    files = write_template(folder, task_name(task), framework, name or folder.resolve().name)
    if as_json:
        print_json({"folder": str(folder), "task": task, "framework": framework})
    else:
        print(
            f"{folder} holds a working {task} model; edit handler.py and dynaboard.yaml, then `dynaboard check {folder}`."
        )
