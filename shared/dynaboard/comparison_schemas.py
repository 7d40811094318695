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
