"""Snapshots, forks and differences of leaderboards, as they travel over HTTP."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, Field

from dynaboard.schemas import Digest, Name, Schema, TaskName

Address = Annotated[str, Field(pattern="^[a-z2-7]{10,16}$", examples=["k3jx7q2mza"])]
PositiveWeight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
# Of a hardware profile, as the board shows it.
Fingerprint = Annotated[str, Field(pattern="^[0-9a-zA-Z_.-]{1,64}$")]


def _in_our_age(moment: datetime) -> datetime:
    """Neither Python nor PostgreSQL can turn the first and last day of the calendar into every time zone."""
    if not 1970 <= moment.year <= 9000:
        raise ValueError("the year must lie between 1970 and 9000")
    return moment


def _readable(text: str) -> str:
    if any(not character.isprintable() and character not in "\n\t" for character in text):
        raise ValueError("holds control characters; remove them")
    return text


Moment = Annotated[AwareDatetime, AfterValidator(_in_our_age)]
Paragraph = Annotated[str, Field(max_length=2000), AfterValidator(_readable)]


class SnapshotView(Schema):
    """A frozen leaderboard: who froze what when. Its address gives the same bytes for ever."""

    id: Address
    task: TaskName
    digest: Digest = Field(description="sha256 of the bytes that `address` gives.")
    address: str
    citation: str = Field(description="Where to get the citation card.")
    public: bool = Field(description="Whether everybody may read it: no unpublished model is in it.")
    created_by: str
    created_at: datetime


class CitedDataset(Schema):
    """A dataset as a citation names it."""

    name: str
    version: int
    digest: Digest
    weight: float
    licence: str | None = None
    citation: str | None = None


class Citation(Schema):
    """What to report with a leaderboard (paper, section 6): datasets, metric weights, timestamp, and its address."""

    snapshot: Address
    address: str
    digest: Digest
    task: TaskName
    title: str = Field(description="Of the task.")
    timestamp: datetime
    models: int
    aggregation: str
    base_metric: str
    weights: dict[str, float]
    datasets: list[CitedDataset]
    amrs: dict[str, float | None]
    epsilon: dict[str, Any]
    memory_budget_gib: float
    hardware_profile: str | None


class ForkCreate(Schema):
    """Weights worth a name, over the live board or over a snapshot of the same task."""

    name: Name
    description: Paragraph = Field("", description="Why these weights.")
    weights: dict[str, PositiveWeight] = Field({}, max_length=20, description="Per metric, on any scale.")
    dataset_weights: dict[Name, PositiveWeight] = Field({}, max_length=100, description="Per dataset, on any scale.")
    snapshot: Address | None = Field(None, description="Left out: the live board.")


class ForkView(Schema):
    """A fork, and where the board it is about is found."""

    id: Address
    task: TaskName
    name: str
    description: str
    weights: dict[str, float]
    dataset_weights: dict[str, float]
    snapshot: Address | None
    board: str = Field(description="Where the board under these weights is: live, or of the snapshot.")
    created_by: str
    created_at: datetime


class ModelDifference(Schema):
    """One model's change: terms, by cause, that sum to it, and the same in words."""

    model_id: str
    name: str
    version_before: int
    version_after: int
    before: float
    after: float
    rank_before: int
    rank_after: int
    terms: dict[str, float]
    words: str


class BoardDifference(Schema):
    """What changed between two times, under one method, and what that did to every score."""

    task: TaskName
    before: datetime
    after: datetime
    causes: list[str] = Field(description="The order in which one thing after the other is replaced.")
    models: list[ModelDifference] = Field(description="Those ranked both times, in the order of the later board.")
    joined: list[str] = Field(description="Names of the models that are ranked only on the later board.")
    left: list[str] = Field(description="Names of the models that are ranked only on the earlier board.")
    datasets: list[str] = Field(description="What changed among the scoring datasets, a sentence each.")
    amrs_before: dict[str, float | None]
    amrs_after: dict[str, float | None]
    excluded_before: dict[str, str]
    excluded_after: dict[str, str]
    memory_budget_gib_before: float
    memory_budget_gib_after: float
