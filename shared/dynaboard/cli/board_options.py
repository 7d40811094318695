"""Options that choose a leaderboard, for the verbs that take one."""

import math
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

Weights = Annotated[
    list[str] | None, typer.Option("--weight", metavar="METRIC=NUMBER", help="A metric's weight; may be repeated.")
]
DatasetWeights = Annotated[
    list[str] | None,
    typer.Option("--dataset-weight", metavar="DATASET=NUMBER", help="A dataset's weight; may be repeated."),
]
Unpublished = Annotated[
    bool, typer.Option("--unpublished", help="Include, as if published, the models only you may see.")
]
AsOf = Annotated[datetime | None, typer.Option(help="The board as it stood then, by UTC.")]
Tag = Annotated[str | None, typer.Option(metavar="TAG", help="Count quality on examples that have this tag only.")]
Aggregation = Annotated[
    Literal["dynascore", "zscore"] | None, typer.Option(help="How metrics become one number. Default: dynascore.")
]
SnapshotId = Annotated[str, typer.Argument(metavar="SNAPSHOT", help="The ten characters of its address.")]


def weights(given: list[str] | None, option: str) -> dict[str, float]:
    """`["performance=4"]` as a dict. Raises typer.BadParameter for what is no NAME=NUMBER."""
    found = {}
    for text in given or []:
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            found[name] = math.nan
        if not name or not (math.isfinite(found[name]) and found[name] >= 0):
            raise typer.BadParameter(f"{option} takes NAME=NUMBER with a number of at least 0, not '{text}'.")
    return found


def in_utc(moment: datetime | None) -> datetime | None:
    """The time as typed, taken to be UTC's."""
    return moment.replace(tzinfo=UTC) if moment else None
