"""`dynaboard snapshots`: boards frozen for ever, and how to cite them."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.board_options import (
    Aggregation,
    AsOf,
    DatasetWeights,
    SnapshotId,
    Tag,
    Unpublished,
    Weights,
    in_utc,
    weights,
)
from dynaboard.cli.bundle import Output, saved
from dynaboard.cli.leaderboard import print_board
from dynaboard.cli.options import Json, TaskName, task_name
from dynaboard.cli.output import print_json

app = typer.Typer(no_args_is_help=True, help="Freeze a leaderboard, show it for ever after, cite it.")


@app.command()
def create(  # noqa: PLR0913, PLR0917 - each is something a viewer may choose
    task: TaskName,
    weight: Weights = None,
    dataset_weight: DatasetWeights = None,
    unpublished: Unpublished = False,
    as_of: AsOf = None,
    tag: Tag = None,
    aggregation: Aggregation = None,
    as_json: Json = False,
) -> None:
    """Freeze a board, all models of it, under an address that gives the same bytes for ever.

    Everybody may read it; with --unpublished only you. It names no owners.
    """
    from dynaboard.client.leaderboards import BoardQuery

    query = BoardQuery(
        weights(weight, "--weight"),
        weights(dataset_weight, "--dataset-weight"),
        unpublished=unpublished,
        as_of=in_utc(as_of),
        tag=tag,
        aggregation=aggregation,
    )
    with connect() as client:
        made = client.snapshots.create(task_name(task), query)
        url = client.url
    if as_json:
        print_json(made)
        return
    print(f"Snapshot {made.id}: {url}{made.address}")
    print(f"sha256 {made.digest}, {'for everybody' if made.public else 'for you alone'}")
    print(f"Cite it with: dynaboard snapshots cite {made.id}")


@app.command()
def show(
    snapshot: SnapshotId,
    weight: Weights = None,
    dataset_weight: DatasetWeights = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the frozen bytes and nothing else.")] = False,
) -> None:
    """Show a frozen board; with weights, its models and results ranked anew."""
    from dynaboard.client.leaderboards import BoardQuery

    query = BoardQuery(weights(weight, "--weight"), weights(dataset_weight, "--dataset-weight"))
    with connect() as client:
        if query.parameters():
            print_board(client.snapshots.reweighted(snapshot, query), as_json)
        elif as_json:
            sys.stdout.write(client.snapshots.body(snapshot).decode())
        else:
            print_board(client.snapshots.get(snapshot), as_json)


@app.command()
def cite(
    snapshot: SnapshotId,
    format_: Annotated[Literal["text", "bibtex"], typer.Option("--format", help="text or bibtex.")] = "text",
    as_json: Json = False,
) -> None:
    """Print what to report with a frozen board: datasets with versions, weights, time, address and digest."""
    with connect() as client:
        if as_json:
            print_json(client.snapshots.citation(snapshot))
        else:
            print(client.snapshots.cite(snapshot, format_), end="")


@app.command()
def bundle(snapshot: SnapshotId, output: Output = Path(), as_json: Json = False) -> None:
    """Fetch all that made a frozen board, from which `dynaboard verify` ranks it again."""
    with connect() as client:
        saved(lambda told: client.snapshots.bundle(snapshot, output, told), as_json)
