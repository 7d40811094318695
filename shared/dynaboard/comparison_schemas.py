"""What travels over HTTP of models held against one another: pairs, weight maps, influence, discordance."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from dynaboard.schemas import Schema

Correction = Literal["max-t", "by", "bh", "none"]


class Named(Schema):
    """A model on the board."""

    model_id: str
    name: str
    version: int
    owner: str | None


class PairView(Schema):
    """Two models, the better first. Numbers are in points of the score."""

    better: str = Field(description="model_id")
    worse: str = Field(description="model_id")
    difference: float
    low: float = Field(description="The 95 % interval of this difference alone.")
    high: float
    probability: float = Field(description="P(better above worse): the share of resamples, ties counted half.")
    p: float = Field(description="Two-sided, of this pair alone.")
    adjusted_p: float = Field(description="Corrected for all pairs of the board.")
    different: bool = Field(description="The corrected p-value is below 0.05.")


class PairsView(Schema):
    """Every pair of ranked models under one set of weights."""

    task: str
    correction: Correction
    meaning: str = Field(description="What the correction keeps below 5 %, in a sentence.")
    models: list[Named] = Field(description="Best first.")
    pairs: list[PairView]
    total: int
    limit: int
    offset: int
    weights: dict[str, float]
    replicates: int
    generated_at: datetime


class MovedPair(Schema):
    """Two models whose order is another than on the board shown."""

    above: str = Field(description="model_id of the one above on the board shown.")
    below: str
    told_apart: bool = Field(description="Whether the data tells the two apart; if not, they tie in either order.")


class VariationView(Schema):
    """The board by other exchange rates, beside the one shown."""

    amrs: dict[str, float | None]
    kept_pairs: int
    greatest_change: float | None = Field(
        description="Of the AMRS that changes most, a factor; null: one comes or goes."
    )
    moved: list[MovedPair] = Field(description="At most a hundred.")
    moved_total: int


class ModelInfluence(Named, VariationView):
    """What the board would be had this model never been submitted; pairs with itself left aside."""


class EpsilonStep(VariationView):
    """What the board would be if differences of the base metric up to this one did not count."""

    threshold: float = Field(description="In units of the base metric.")


class InfluenceView(Schema):
    """What exchange rates owe to single models, to epsilon, and to how slopes are averaged."""

    task: str
    base_metric: str
    amrs_method: Literal["mean", "median"]
    amrs: dict[str, float | None]
    threshold: float | None
    alarms: list[str] = Field(description="One sentence for each model that moves the order of others.")
    models: list[ModelInfluence] = Field(description="The pool, most influential first.")
    epsilon_steps: list[EpsilonStep] = Field(description="Each epsilon at which a pair drops out; exact between them.")
    methods: dict[str, VariationView] = Field(description="By the mean and by the median of slopes.")
    weights: dict[str, float]
    generated_at: datetime


class FirstPlace(Named):
    """Where a model would be first."""

    rank: int | None = Field(description="Under the viewer's weights.")
    can_be_first: bool = Field(description="Whether any weights put it first, alone or with equals.")
    nearest_weights: dict[str, float] | None = Field(description="The least change of the viewer's weights that does.")
    moved: float | None = Field(description="How much weight they move from one metric to another, 0 to 1.")
    polygon: list[tuple[float, float]] = Field(description="Where it is first in the plane of x and y; may be empty.")


class WeightMapView(Schema):
    """For every weighting, who is first: exact at the board's exchange rates, which weights do not change."""

    task: str
    aggregation: str
    weights: dict[str, float]
    x: str = Field(description="The metric along the first coordinate of polygons.")
    y: str
    point: tuple[float, float] = Field(description="The viewer's weights in the plane of x and y.")
    others: dict[str, float] = Field(description="How the metrics beside x and y share what these leave.")
    models: list[FirstPlace] = Field(description="Those with every metric, best first.")
    excluded: dict[str, str]
    generated_at: datetime


class DifferingPart(Schema):
    """The examples of one tag of a dataset, and two models on them. Numbers are percent of the performance metric."""

    dataset: str
    tag: str
    n: int
    first: float
    second: float
    low: float = Field(description="The 95 % interval of first less second.")
    high: float
    excess: float = Field(description="First less second here, less the same on the whole dataset.")
    p: float
    adjusted_p: float = Field(description="That there is no excess, corrected for all parts (Benjamini-Yekutieli).")


class DiscordantExample(Schema):
    """An example on which two models differ; without id, and with labels only where these are released."""

    inputs: dict[str, str]
    first: str
    second: str
    label: list[str] | None = Field(None, description="What is right; null for sets that rank, or are hidden.")


class DiscordanceView(Schema):
    """Where two models differ."""

    task: str
    first: Named
    second: Named
    parts: list[DifferingPart] = Field(description="Tags with at least 20 examples, the surest difference first.")
    dataset: str | None = Field(description="Where the examples below are from.")
    examples: int = Field(description="In that dataset.")
    differing: int = Field(description="On how many of them the two answer differently.")
    shown: list[DiscordantExample]
    note: str
    generated_at: datetime
