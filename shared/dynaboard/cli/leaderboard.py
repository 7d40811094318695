"""`dynaboard leaderboard`: a task's board under your weights."""

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, TaskName, task_name
from dynaboard.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from dynaboard.leaderboard_schemas import LeaderboardView


def leaderboard(  # noqa: PLR0913, PLR0917 - each is something a viewer may choose
    task: TaskName,
    weight: Annotated[
        list[str] | None, typer.Option(metavar="METRIC=NUMBER", help="A metric's weight; may be repeated.")
    ] = None,
    dataset_weight: Annotated[
        list[str] | None, typer.Option(metavar="DATASET=NUMBER", help="A dataset's weight; may be repeated.")
    ] = None,
    sort: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="score, mean_rank, name, or a metric's name.")
    ] = None,
    unpublished: Annotated[
        bool, typer.Option("--unpublished", help="Include, as if published, the models only you may see.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Show this many models.")] = None,
    as_of: Annotated[datetime | None, typer.Option(help="The board as it stood then, by UTC.")] = None,
    format_: Annotated[
        Literal["csv", "json", "tex", "md"] | None,
        typer.Option("--format", help="Print a whole file: CSV, JSON, LaTeX (booktabs) or Markdown, with intervals."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Print the board again whenever it changes.")] = False,
    as_json: Json = False,
) -> None:
    """Rank a task's models, under your weights.

    ± is the farther end of the 95 % interval. With --watch and --json: one JSON document for each change.
    """
    from dynaboard.client.leaderboards import BoardQuery

    query = BoardQuery(
        _weights(weight, "--weight"),
        _weights(dataset_weight, "--dataset-weight"),
        sort,
        unpublished,
        limit,
        as_of.replace(tzinfo=UTC) if as_of else None,
    )
    if format_ and (as_json or watch):
        raise typer.BadParameter("--format goes with neither --json nor --watch.")
    task_name(task)
    with connect() as client:
        if format_:
            print(client.leaderboards.file(task, format_, query), end="")
        elif watch:
            for _ in client.leaderboards.changes(task):
                _print(client.leaderboards.get(task, query), as_json, again=True)
        else:
            _print(client.leaderboards.get(task, query), as_json)


def _weights(given: list[str] | None, option: str) -> dict[str, float]:
    """`["performance=4"]` as a dict. Raises typer.BadParameter for what is no NAME=NUMBER."""
    weights = {}
    for text in given or []:
        name, _, number = text.rpartition("=")
        try:
            weights[name] = float(number)
        except ValueError:
            weights[name] = math.nan
        if not name or not (math.isfinite(weights[name]) and weights[name] >= 0):
            raise typer.BadParameter(f"{option} takes NAME=NUMBER with a number of at least 0, not '{text}'.")
    return weights


def _print(view: "LeaderboardView", as_json: bool, again: bool = False) -> None:
    from dynaboard.cli.board_table import board, notes

    if as_json:
        print_json(view)
        return
    screen = console()
    if again and screen.is_terminal:
        screen.clear()
    if not view.rows:
        print(f"No {view.task} model is on the board yet.")
        return
    print_table(board(view))
    print()
    for line in notes(view):
        print(line)
