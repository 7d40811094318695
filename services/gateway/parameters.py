"""Parameters that routes share, and the queries of leaderboards and new datasets, as the document describes them.

The services that own them check them again; tests/gateway/test_documents.py holds both descriptions together.
"""

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from dynaboard.board_schemas import Fingerprint, Moment
from dynaboard.comparison_schemas import Correction
from dynaboard.example_schemas import ExamplesQuery
from dynaboard.schemas import ErrorBody, Name, Schema, TaskName

EXAMPLE_ID = "3f2a9c0d5b7e4a1c8d6f0e2b4a6c8d0f"
Id = Annotated[str, Path(pattern="^[0-9a-f]{32}$", examples=[EXAMPLE_ID], description="As the list gives it.")]
TaskFilter = Annotated[TaskName | None, Query(description="Of this task only.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Entries a page.")]
Offset = Annotated[int, Query(ge=0, le=10**6, description="Entries to skip.")]

ModelId = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]

ERRORS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": ErrorBody, "description": "The request cannot be met; `detail` says what to do."},
    "5XX": {"model": ErrorBody, "description": "The platform's fault; nothing is lost, try again."},
}
# Joined to the API key that FastAPI notes for each route: no key will do as well.
PUBLIC: dict[str, Any] = {"security": [{}]}

Metric = Literal["performance", "throughput", "memory", "fairness", "robustness"]
Weight = Annotated[float | None, Field(ge=0, allow_inf_nan=False, description="Any scale; left out: the default.")]


def content(media_type: str, kind: dict[str, str] | None = None) -> dict[int | str, dict[str, Any]]:
    """Documents a successful answer that is not JSON."""
    return {200: {"content": {media_type: {"schema": kind or {"type": "string"}}}}}


def binary_body(media_type: str = "application/octet-stream") -> dict[str, Any]:
    """Documents a request's body that is taken as it comes."""
    schema = {"schema": {"type": "string", "format": "binary"}}
    return {"requestBody": {"required": True, "content": {media_type: schema}}}


class BoardQuery(BaseModel):
    """Beside these: `dataset_weight.NAME` for each dataset of the board, any number of at least 0."""

    model_config = ConfigDict(extra="allow")

    aggregation: Literal["dynascore", "zscore"] = Field("dynascore", description="How metrics become one number.")
    base: Metric | None = Field(
        None, description="The metric whose points the others are counted in; left out: the task's."
    )
    epsilon_mode: Literal["relative", "absolute"] | None = Field(
        None, description="A share of the greatest base value, or points; left out: the task's."
    )
    epsilon: float | None = Field(
        None,
        ge=0,
        allow_inf_nan=False,
        description="The least difference that makes a trade-off; left out: the task's.",
    )
    amrs_method: Literal["mean", "median"] = Field(
        "mean", description="How slopes become a rate: the paper's mean, or their median."
    )
    tag: str | None = Field(
        None,
        max_length=200,
        description="Count quality only on examples that have this tag; `explanations` say what cannot.",
    )
    as_of: Moment | None = Field(
        None, description="The board as it stood at this time.", examples=["2026-05-03T12:00:00Z"]
    )
    hardware: Fingerprint | None = Field(
        None, description="Fingerprint of the hardware profile whose cost counts; left out: the commonest."
    )
    unpublished: bool = Field(False, description="Include unpublished models that you may see.")
    detail: Literal["full", "ranking"] = Field(
        "full", description="ranking: without uncertainty and cells of datasets; fast under ever new weights."
    )
    sort: Literal["score", "mean_rank", "name"] | Metric = "score"
    order: Literal["ascending", "descending"] | None = Field(None, description="Left out: best first, names A to Z.")
    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0)
    performance: Weight = Field(None, alias="weight.performance")
    throughput: Weight = Field(None, alias="weight.throughput")
    memory: Weight = Field(None, alias="weight.memory")
    fairness: Weight = Field(None, alias="weight.fairness")
    robustness: Weight = Field(None, alias="weight.robustness")


class PairsQuery(BoardQuery):
    """The board's parameters; `limit` and `offset` count pairs."""

    correction: Correction = Field("max-t", description="How p-values are corrected for the number of pairs.")
    model: str | None = Field(None, max_length=64, description="Only pairs with this model (model_id).")


class WeightMapQuery(BoardQuery):
    """The board's parameters, and the plane of weights in which regions are drawn."""

    x: Metric | None = Field(None, description="First coordinate of the regions; left out: the base.")
    y: Metric | None = Field(None, description="Second coordinate; left out: the next metric.")


class DiscordanceQuery(BaseModel):
    """Two models of a board, and the dataset whose examples are shown."""

    model_config = ConfigDict(extra="forbid")

    a: ModelId = Field(description="A model_id of the board.", examples=[EXAMPLE_ID])
    b: ModelId = Field(description="Another one.", examples=[EXAMPLE_ID])
    dataset: str | None = Field(None, max_length=62, description="Left out: the first scoring dataset.")
    unpublished: bool = Field(False, description="Include unpublished models that you may see.")
    limit: int = Field(10, ge=1, le=50, description="Examples to show.")


class DatasetQuery(Schema):
    """What a new dataset is; the file itself is the body. With `catalogue`, everything else has a default."""

    catalogue: str | None = Field(None, description="Name of a catalogue entry that gives the defaults.")
    task: TaskName | None = None
    name: Name | None = None
    role: Literal["scoring", "standard", "hidden"] | None = Field(
        None, description="hidden unless given here or by the catalogue."
    )
    licence: str | None = Field(None, min_length=1, max_length=300)
    citation: str | None = Field(None, min_length=1, max_length=2000)
    description: str | None = Field(None, min_length=1, max_length=2000)
    unlabelled_from: AwareDatetime | None = Field(None, description="When the inputs are opened.")
    released_from: AwareDatetime | None = Field(None, description="When the labels are released.")
    hold: bool = Field(False, description="Do not run the models there are on it before `backfill/start`.")
    format: str | None = Field(None, description="As the catalogue names it, for example jsonl.")
    mapping: str | None = Field(
        None, max_length=16_384, description="JSON object of column names; see `columns` in GET /catalogue."
    )


BoardQueryDep = Annotated[BoardQuery, Query()]
DiscordanceQueryDep = Annotated[DiscordanceQuery, Query()]
PairsQueryDep = Annotated[PairsQuery, Query()]
WeightMapQueryDep = Annotated[WeightMapQuery, Query()]
ExamplesQueryDep = Annotated[ExamplesQuery, Query()]
DatasetQueryDep = Annotated[DatasetQuery, Query()]
