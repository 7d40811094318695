"""`dynaboard forks`: weights with a name and a reason."""

from typing import TYPE_CHECKING, Annotated

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.board_options import DatasetWeights, Weights, weights
from dynaboard.cli.leaderboard import print_board
from dynaboard.cli.options import Json, TaskName, task_name, validated
from dynaboard.cli.output import print_json, print_table, table

if TYPE_CHECKING:
    from dynaboard.board_schemas import ForkView

app = typer.Typer(no_args_is_help=True, help="Name your weights, list those of others, see their boards.")


@app.command()
def create(  # noqa: PLR0913, PLR0917 - each is a part of a fork
    task: TaskName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and hyphens.")],
    weight: Weights = None,
    dataset_weight: DatasetWeights = None,
    description: Annotated[str, typer.Option(metavar="TEXT", help="Why these weights.")] = "",
    snapshot: Annotated[
        str | None, typer.Option(metavar="SNAPSHOT", help="Over this frozen board. Default: the live one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Give weights a name and a description that everybody may read."""
    from dynaboard.board_schemas import ForkCreate

    fork = validated(
        ForkCreate,
        name=name,
        description=description,
        weights=weights(weight, "--weight"),
        dataset_weights=weights(dataset_weight, "--dataset-weight"),
        snapshot=snapshot,
    )
    with connect() as client:
        made = client.forks.create(task_name(task), fork)
    if as_json:
        print_json(made)
    else:
        print(f"Fork {made.id} of {_over(made)}. See it with: dynaboard forks show {made.id}")


@app.command("list")
def list_forks(task: TaskName, as_json: Json = False) -> None:
    """List the forks of a task's board, newest first."""
    with connect() as client:
        views = client.forks.all(task_name(task))
    if as_json:
        print_json(views)
        return
    made = table("id", "name", "by", "weights", "over", "why")
    for view in views:
        chosen = [f"{name} {weight:g}" for name, weight in (view.weights | view.dataset_weights).items()]
        why = view.description.partition("\n")[0]
        made.add_row(view.id, view.name, view.created_by, ", ".join(chosen), _over(view), why)
    print_table(made)


@app.command()
def show(fork: Annotated[str, typer.Argument(metavar="FORK", help="Its id.")], as_json: Json = False) -> None:
    """Show the board under a fork's weights."""
    with connect() as client:
        view = client.forks.get(fork)
        board = client.forks.board(view)
    if not as_json:
        print(f"{view.name} by {view.created_by}, over {_over(view)}")
        if view.description:
            print(view.description)
        print()
    print_board(board, as_json)


def _over(view: "ForkView") -> str:
    return f"snapshot {view.snapshot}" if view.snapshot else f"the live board of {view.task}"
