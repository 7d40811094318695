"""How the columns of a file become the fields of an example. Pure; the catalogue and an upload's `mapping` are this."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    StringConstraints,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from dynaboard.errors import Invalid
from dynaboard.nlp_tasks import TASKS, Task
from dynaboard.schemas import TaskName
from services.evaluator.datasets.canonical import Example, checked

Row = Mapping[str, Any]
Snippet = Annotated[str, StringConstraints(max_length=20)]

MAX_SAMPLE = 100_000
MAX_TEXT = 8 * 2**20


class Columns(BaseModel):
    """Where each field of an example stands in a file. Names are the file's own; what is left out keeps its default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: TaskName
    inputs: dict[str, str] = Field(default={}, description="input field of the task -> column; same name if left out")
    id: str | None = Field(default="id", description="column of unique ids; null: the row's number is its id")
    id_prefix: str = Field(default="", description="put before every id")
    label: str = Field(default="label", description="column of the label; it may hold a list of accepted labels")
    labels: dict[str, str | list[str]] = Field(default={}, description="the file's word -> label or accepted labels")
    answers: str = Field(default="answers", description="qa: column of the accepted answers")
    drop: list[str] = Field(default=[], description="labels whose rows are left out; an empty text stands for null")
    where: dict[str, str] = Field(default={}, description="column -> the only value whose rows are kept")
    rows: tuple[int, int] | None = Field(default=None, description="first and last row kept, counted from 1")
    tags: list[str] = Field(default=[], description="tags of every example")
    tag_columns: dict[str, str] = Field(default={"tags": ""}, description="column of tags -> prefix of each tag")
    header: list[str] | None = Field(default=None, description="column names of a csv or tsv file without a first line")
    replace: dict[Snippet, Snippet] = Field(default={}, description="text -> what stands for it in every input")
    files: dict[str, list[str]] = Field(default={}, description="pattern of a file in a zip -> tags of its examples")
    token_labels: str = Field(default="token_labels", description="column of the labels of tokens")
    _task: Task = PrivateAttr()
    sample: int | None = Field(default=None, ge=1, le=MAX_SAMPLE, description="how many rows are drawn, if not all")

    @model_validator(mode="after")
    def _is_consistent(self, info: ValidationInfo) -> "Columns":
        """The context of the validation is the task; without one it is one of those that come with the package."""
        if isinstance(info.context, Task):
            self._task = info.context
        elif self.task in TASKS:
            self._task = TASKS[self.task]
        else:
            raise ValueError(f"there is no task {self.task}")
        if "" in self.replace:
            raise ValueError("an empty text cannot be replaced")
        strange = self.inputs.keys() - set(self._task.inputs)
        if strange:
            raise ValueError(f"{min(strange)} is no input of {self.task}; its inputs: {', '.join(self._task.inputs)}")
        return self

    @property
    def nlp_task(self) -> Task:
        """The task whose examples are read."""
        return self._task

    def column_of(self, field: str) -> str:
        """The column an input field is read from."""
        return self.inputs.get(field, field)

    def with_defaults(self, **defaults: Any) -> "Columns":
        """The same columns, where a field nobody has set takes the default of a format."""
        unset = {name: value for name, value in defaults.items() if name not in self.model_fields_set}
        return self.model_copy(update=unset)


def read_columns(mapping: Mapping[str, object], task: Task | None = None) -> Columns:
    """Check a mapping that came from outside; left out, it names a task that comes with Dynaboard.

    Raises Invalid naming the field that is wrong.
    """
    named = {**mapping, "task": task.name} if task else mapping
    try:
        return Columns.model_validate(named, context=task)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "inputs"
        raise Invalid(f"The mapping's {where} is not usable: {first['msg']}.") from None


def examples(rows: Iterable[tuple[int, Row]], columns: Columns, unit: str = "line") -> Iterator[Example]:
    """The kept rows as canonical examples. `rows` are (place in the file, row); Invalid names the place, in `unit`s."""
    for number, (place, row) in enumerate(rows, 1):
        try:
            if kept(row, number, columns):
                yield checked(columns.nlp_task, example(row, number, columns))
        except Invalid as error:
            raise Invalid(f"{unit} {place}: {error.detail}") from None


def kept(row: Row, number: int, columns: Columns) -> bool:
    """Whether the mapping keeps this row, the `number`th of the file."""
    if columns.rows and not columns.rows[0] <= number <= columns.rows[1]:
        return False
    if any(word(cell(row, column)) != value for column, value in columns.where.items()):
        return False
    return not columns.drop or word(cell(row, columns.label)) not in columns.drop


def example(row: Row, number: int, columns: Columns) -> Example:
    """One row in the fields of its task, not yet checked."""
    task = columns.nlp_task
    found: Example = {"id": columns.id_prefix + (word(cell(row, columns.id)) if columns.id else str(number))}
    for field in task.inputs:
        found[field] = _replaced(cell(row, columns.column_of(field)), columns.replace)
    if task.kind == "label":
        found["label"] = _label(cell(row, columns.label), columns.labels)
    elif task.kind == "token-labels":
        found["token_labels"] = _label(cell(row, columns.token_labels), columns.labels)
    else:
        found["answers"] = _answers(cell(row, columns.answers))
    found["tags"] = [*columns.tags, *_tags(row, columns.tag_columns)]
    return found


def cell(row: Row, column: str) -> Any:
    """The value under a column. Raises Invalid when the file has no such column here."""
    if column not in row:
        present = ", ".join(sorted(str(name) for name in row)[:12])
        raise Invalid(f'there is no column "{column}" (found: {present}); name the right one in the mapping')
    return row[column]


def word(value: object) -> str:
    """A cell as a word to compare with: numbers as they print, null as an empty text."""
    return "" if value is None else str(value)


def _replaced(value: object, replace: Mapping[str, str]) -> object:
    if isinstance(value, str):
        for old, new in replace.items():
            value = value.replace(old, new)
            if len(value) > MAX_TEXT:  # each replacement may multiply what the ones before it wrote
                raise Invalid(f"the mapping's replace makes a text longer than {MAX_TEXT // 2**20} million characters")
    return value


def _label(value: object, labels: Mapping[str, str | list[str]]) -> object:
    if not labels:
        return value
    accepted: list[str] = []
    for given in value if isinstance(value, list) else [value]:
        if word(given) not in labels:
            raise Invalid(f"the label {ascii(word(given))[:60]} is none of {', '.join(labels)}")
        meant = labels[word(given)]
        accepted += meant if isinstance(meant, list) else [meant]
    return accepted


def _answers(value: object) -> object:
    if isinstance(value, Mapping) and "text" in value:  # the SQuAD of the Hugging Face `datasets` library
        value = value["text"]
    return [value] if isinstance(value, str) else value


def _tags(row: Row, tag_columns: Mapping[str, str]) -> list[str]:
    """Columns of tags may be missing or null: they describe some rows only."""
    tags: list[str] = []
    for column, prefix in tag_columns.items():
        value = row.get(column)
        for tag in value if isinstance(value, list) else [value]:
            tags += [f"{prefix}{word(tag)}"] if word(tag) else []
    return tags
