"""A model's answers example by example, over HTTP."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from dynaboard.schemas import Schema

SubmissionId = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


class ExamplesQuery(Schema):
    """Which examples of which dataset are wanted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dataset: Annotated[str, Field(max_length=62)]
    version: Annotated[int | None, Field(ge=1, le=2**31 - 1, description="Left out: the active one.")] = None
    filter: Annotated[
        Literal["all", "wrong", "right", "differs"], Field(description="differs: from the answer of `other`.")
    ] = "all"
    other: Annotated[SubmissionId | None, Field(description="A submission to hold beside it.")] = None
    tag: Annotated[str | None, Field(max_length=200)] = None
    limit: Annotated[int, Field(ge=1, le=50)] = 20
    offset: Annotated[int, Field(ge=0, le=10**8)] = 0


class ShownExample(Schema):
    """One example with the answer, and that of the other model where one was named."""

    number: int = Field(description="Its place in the dataset, from 0; ids are not shown.")
    inputs: dict[str, str | list[str]]
    answer: str
    other: str | None = None
    label: list[str] | None = Field(None, description="Any of these is right; null where labels are not shown.")
    tags: list[str] | None = None


class ExamplesView(Schema):
    """A page of a dataset's examples."""

    dataset: str
    version: int
    examples: int
    matching: int = Field(description="So many pass the filters.")
    labels_shown: bool
    note: str
    shown: list[ShownExample]
