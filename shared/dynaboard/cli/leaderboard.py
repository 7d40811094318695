"""`dynaboard leaderboard`: a task's board under your weights."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.board_options import Aggregation, AsOf, DatasetWeights, Tag, Unpublished, Weights, in_utc, weights
from dynaboard.cli.options import Json, TaskName, task_name
from dynaboard.cli.output import console, print_json, print_table

if TYPE_CHECKING:
    from dynaboard.leaderboard_schemas import LeaderboardView


def leaderboard(  # noqa: PLR0913, PLR0917 - each is something a viewer may choose
    task: TaskName,
    weight: Weights = None,
    dataset_weight: DatasetWeights = None,
    sort: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="score, mean_rank, name, or a metric's name.")
    ] = None,
    unpublished: Unpublished = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Show this many models.")] = None,
    as_of: AsOf = None,
    tag: Tag = None,
    aggregation: Aggregation = None,
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
        weights(weight, "--weight"),
        weights(dataset_weight, "--dataset-weight"),
        sort,
        unpublished,
        limit,
        in_utc(as_of),
        tag,
        aggregation,
    )
    if format_ and (as_json or watch):
        raise typer.BadParameter("--format goes with neither --json nor --watch.")
    task_name(task)
    with connect() as client:
        if format_:
            print(client.leaderboards.file(task, format_, query), end="")
        elif watch:
            for _ in client.leaderboards.changes(task):
                print_board(client.leaderboards.get(task, query), as_json, again=True)
        else:
            print_board(client.leaderboards.get(task, query), as_json)


def print_board(view: "LeaderboardView", as_json: bool, again: bool = False) -> None:
    """A board as a table with its notes, or as JSON; `again` clears a terminal first."""
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
