"""What is said about hardware profiles over HTTP."""

from datetime import datetime
from typing import Any

from pydantic import Field

from dynaboard.schemas import Schema


class RatingView(Schema):
    """What throughputs of one protocol version are multiples of here."""

    protocol_version: str = Field(description="With the profile of the measurement.", examples=["2-full"])
    value: float = Field(description="The reference model's examples/s.")
    low: float = Field(description="95 % interval.")
    high: float
    created_at: datetime


class CanaryView(Schema):
    """Whether the machine ran as it did before, when it last measured."""

    drift: float = Field(description="How much faster it was than remembered, as a share; slower: below 0.")
    limit: float = Field(description="The drift that is usual, at most.")
    steady: bool
    measured_at: datetime


class HardwareView(Schema):
    """One hardware profile: costs are ranked only within one."""

    fingerprint: str = Field(description="What `?hardware=` of a leaderboard takes.", examples=["3f2a9c0d5b7e"])
    description: dict[str, Any] = Field(description="The machine, the software under the models, and their limits.")
    models: int = Field(description="Published models that were measured on it.")
    ratings: list[RatingView]
    canary: CanaryView | None = Field(description="Of the newest measurement; null before there was any.")
    created_at: datetime
