"""`dynaboard difference`: what changed a board between two times, in words."""

from datetime import datetime
from typing import Annotated

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.board_options import Aggregation, DatasetWeights, Tag, Weights, in_utc, weights
from dynaboard.cli.options import Json, TaskName, task_name
from dynaboard.cli.output import print_json


def difference(  # noqa: PLR0913, PLR0917 - each is something a viewer may choose
    task: TaskName,
    before: Annotated[datetime, typer.Option("--from", help="The time of the earlier board, by UTC.")],
    after: Annotated[datetime | None, typer.Option("--to", help="Of the later board. Default: now.")] = None,
    weight: Weights = None,
    dataset_weight: DatasetWeights = None,
    tag: Tag = None,
    aggregation: Aggregation = None,
    as_json: Json = False,
) -> None:
    """Say why each score changed: terms that sum to the change, the greatest first."""
    from dynaboard.client.leaderboards import BoardQuery

    chosen = weights(weight, "--weight"), weights(dataset_weight, "--dataset-weight")
    query = BoardQuery(*chosen, tag=tag, aggregation=aggregation)
    earlier = in_utc(before)
    assert earlier is not None
    with connect() as client:
        found = client.leaderboards.difference(task_name(task), earlier, in_utc(after), query)
    if as_json:
        print_json(found)
        return
    lists = (("Joined", found.joined), ("Left", found.left), ("Datasets", found.datasets))
    lines = [f"{what}: {', '.join(names)}." for what, names in lists if names]
    lines += [model.words for model in found.models]
    print("\n".join(lines) or f"Nothing changed on the board of {found.task}.")
