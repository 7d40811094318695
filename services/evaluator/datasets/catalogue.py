"""The datasets of Table 1 of the Dynaboard paper, as data: where each comes from and how its files are read."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict

from dynaboard.errors import NotFound
from dynaboard.schemas import TaskName
from services.evaluator.datasets.importers.columns import Columns


class CatalogueEntry(BaseModel):
    """One dataset. `columns` says how its file maps, `examples` how many are published (None: not known)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    task: TaskName
    role: Literal["scoring", "standard"]
    corpus: str
    title: str
    licence: str
    citation: str
    homepage: str
    distribution: str
    language: str = "en"
    format: str
    columns: Columns
    examples: int | None = None
    labels_withheld: bool = False
    notes: str = ""


@cache
def catalogue() -> Mapping[str, CatalogueEntry]:
    """All entries by name, in the order of the file. Read once."""
    document = yaml.safe_load(files(__package__).joinpath("catalogue.yaml").read_text("utf-8"))
    entries = [_entry(row, document["corpora"][row["corpus"]]) for row in document["datasets"]]
    return {entry.name: entry for entry in entries}


def find_entry(name: str) -> CatalogueEntry:
    """The entry of that name. Raises NotFound."""
    try:
        return catalogue()[name]
    except KeyError:
        raise NotFound(f"The catalogue has no dataset {ascii(name)[:70]}; GET /catalogue lists them.") from None


def _entry(row: dict[str, Any], corpus: dict[str, Any]) -> CatalogueEntry:
    fields = {key: value for key, value in row.items() if key != "mapping"}
    return CatalogueEntry(columns=Columns(task=row["task"], **row["mapping"]), **corpus, **fields)
