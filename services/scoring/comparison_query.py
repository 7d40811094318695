"""What may be asked about models held against one another: a leaderboard's parameters and a few more."""

from typing import Annotated

from pydantic import Field

from dynaboard.comparison_schemas import Correction
from dynaboard.task_schemas import MetricName
from services.scoring.query import LeaderboardQuery


class PairsQuery(LeaderboardQuery):
    """The pairs of the board that the other parameters describe; `limit` and `offset` count pairs."""

    correction: Annotated[Correction, Field(description="How p-values are corrected for the number of pairs.")] = (
        "max-t"
    )
    model: Annotated[str | None, Field(max_length=64, description="Only pairs with this model (model_id).")] = None


class WeightMapQuery(LeaderboardQuery):
    """The board that the other parameters describe, and the plane of weights in which regions are drawn."""

    x: Annotated[MetricName | None, Field(description="First coordinate of the regions; left out: the base.")] = None
    y: Annotated[MetricName | None, Field(description="Second coordinate; left out: the next metric.")] = None
