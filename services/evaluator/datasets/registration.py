"""What an uploader says about a dataset, completed from the catalogue and checked."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field
from sqlalchemy.orm import Session

from dynaboard.errors import Invalid
from dynaboard.schemas import Name, Schema, TaskName
from dynaboard.task import Task
from dynaboard.task_bundle import DatasetSpec
from dynaboard.task_registry import find_bundle
from services.evaluator.datasets.catalogue import CatalogueEntry, find_entry
from services.evaluator.datasets.importers import IMPORTERS
from services.evaluator.datasets.importers.columns import Columns, read_columns

Role = Literal["scoring", "standard", "hidden"]
MAX_MAPPING_CHARACTERS = 16_384


def _readable(text: str) -> str:
    if any(not character.isprintable() and character not in "\n\t" for character in text):
        raise ValueError("holds control characters")
    return text


Line = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_readable)]
Paragraph = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_readable)]


class DatasetUpload(Schema):
    """The query of an upload; the file itself is the body. With `catalogue`, everything else has a default."""

    catalogue: str | None = Field(None, description="Name of a catalogue entry that gives the defaults.")
    task: TaskName | None = None
    name: Name | None = None
    role: Role | None = Field(None, description="hidden unless given here or by the catalogue.")
    licence: Line | None = None
    citation: Paragraph | None = None
    description: Paragraph | None = None
    unlabelled_from: AwareDatetime | None = Field(None, description="When the inputs are opened.")
    released_from: AwareDatetime | None = Field(None, description="When the labels are released.")
    hold: bool = Field(False, description="Do not run the models there are on it before `backfill start`.")
    format: str | None = Field(None, description=f"One of {', '.join(IMPORTERS)}.")
    mapping: str | None = Field(
        None,
        max_length=MAX_MAPPING_CHARACTERS,
        description="JSON object of column names; see `columns` in GET /catalogue.",
    )


@dataclass(frozen=True)
class Registration:
    """A dataset about to be imported. `stated` are the words the uploader chose, not the catalogue."""

    task: Task
    name: str
    role: Role
    licence: str
    citation: str
    description: str
    format: str
    columns: Columns
    stated: dict[str, str]
    unlabelled_from: datetime | None = None
    released_from: datetime | None = None
    hold: bool = False


def read_registration(db: Session, upload: DatasetUpload) -> Registration:
    """Complete an upload's words from the catalogue and the task's definition.

    Raises Invalid for what is missing, NotFound for the entry or the task.
    """
    entry = find_entry(upload.catalogue) if upload.catalogue else None
    if entry and upload.task not in (None, entry.task):
        raise Invalid(f"The catalogue's {entry.name} is a dataset of {entry.task}, not of {upload.task}.")
    given = upload.model_dump(exclude_none=True)
    words = {"role": "hidden", "description": "", **_catalogued(entry), **given}
    bundle = find_bundle(db, words["task"]) if words.get("task") else None
    known = next((each for each in bundle.datasets if each.name == words.get("name")), None) if bundle else None
    words = {**words, **_defined(known), **given}
    for field in ("task", "name", "licence", "citation", "format"):
        if not words.get(field):
            raise Invalid(f"A dataset needs a {field}: send {field}=…, or catalogue=NAME for one of the catalogue.")
    assert bundle is not None  # there is a task
    task = bundle.task()
    return Registration(
        task=task,
        name=words["name"],
        role=words["role"],
        licence=words["licence"],
        citation=words["citation"],
        description=words["description"],
        format=_format(words["format"]),
        columns=read_columns(
            {**_columns(upload, entry), **_defined_columns(upload, known), **_mapping(upload.mapping)}, task
        ),
        unlabelled_from=upload.unlabelled_from or (known.unlabelled_from if known else None),
        released_from=upload.released_from or (known.released_from if known else None),
        hold=upload.hold,
        stated={field: given[field] for field in ("role", "licence", "citation", "description") if field in given},
    )


def _catalogued(entry: CatalogueEntry | None) -> dict[str, str]:
    if entry is None:
        return {}
    words = entry.model_dump(include={"task", "name", "role", "licence", "citation", "format"})
    return words | {"description": f"{entry.title}. {entry.notes}".strip()}


def _defined(known: DatasetSpec | None) -> dict[str, str]:
    if known is None:
        return {}
    return known.model_dump(include={"role", "licence", "citation", "description", "format"}, exclude_none=True)


def _defined_columns(upload: DatasetUpload, known: DatasetSpec | None) -> dict[str, Any]:
    return dict(known.mapping) if known and upload.format in (None, known.format) else {}


def _format(name: str) -> str:
    if name not in IMPORTERS:
        raise Invalid(f"There is no format {ascii(name)[:40]}; the formats are {', '.join(IMPORTERS)}.")
    return name


def _columns(upload: DatasetUpload, entry: CatalogueEntry | None) -> dict[str, Any]:
    """The catalogue's mapping belongs to the catalogue's format: a file already converted to another has its own."""
    if entry is None or upload.format not in (None, entry.format):
        return {}
    return entry.columns.model_dump(exclude_unset=True)


def _mapping(text: str | None) -> dict[str, Any]:
    try:
        mapping = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise Invalid('The mapping is not JSON; send an object such as {"id": "uid"}.') from None
    if not isinstance(mapping, dict):
        raise Invalid('The mapping must be a JSON object such as {"id": "uid"}.')
    return mapping
