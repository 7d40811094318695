"""Arguments and options that several verbs share, and their words."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from dynaboard.errors import Invalid

if TYPE_CHECKING:
    from pydantic import BaseModel

Schema = TypeVar("Schema", bound="BaseModel")
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
SubmissionRef = Annotated[
    str, typer.Argument(metavar="SUBMISSION", help="An id, the beginning of one, or your model's name (its newest).")
]
TaskName = Annotated[
    str, typer.Argument(metavar="TASK", help="nli, qa, sentiment, hate-speech or one of the platform's own.")
]
OptionalTask = Annotated[str | None, typer.Option("--task", metavar="TASK", help="Only those of this task.")]
FolderOrArchive = Annotated[
    Path, typer.Argument(metavar="FOLDER", exists=True, help="The model's folder, or an archive of it.")
]


def task_name(text: str) -> str:
    """A text that can be the name of a task; whether there is one, the platform says. Raises typer.BadParameter."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,31}", text):
        raise typer.BadParameter(f"'{text}' is no name of a task; such are sentiment or hate-speech.")
    return text


def validated(kind: type[Schema], **fields: Any) -> Schema:
    """`fields` as a schema. Raises Invalid, naming the field, for what the server would refuse."""
    from pydantic import ValidationError

    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        wrong = error.errors()[0]
        raise Invalid(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}.") from None
