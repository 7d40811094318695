"""`dynaboard models`: what is shown of a model, and to whom."""

from typing import TYPE_CHECKING, Annotated

import typer

from dynaboard.cli import find
from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, OptionalTask
from dynaboard.cli.output import print_json, print_table, table

if TYPE_CHECKING:
    from rich.table import Table

    from dynaboard.leaderboard_schemas import ScoreView
    from dynaboard.schemas import ModelView

app = typer.Typer(no_args_is_help=True, help="List, show, publish and unpublish models.")
ModelRef = Annotated[str, typer.Argument(metavar="MODEL", help="An id, the beginning of one, or a name.")]


@app.command("list")
def list_models(task: OptionalTask = None, as_json: Json = False) -> None:
    """List the published models and your own."""
    with connect() as client:
        views = client.models.all(task)
    if as_json:
        print_json(views)
        return
    made = table("id", "model", "task", "owner", "versions", "shown", right=("versions",))
    for view in views:
        made.add_row(view.id[: find.SHOWN], view.name, view.task, _owner(view), str(len(view.versions)), _shown(view))
    print_table(made)


@app.command()
def show(model: ModelRef, as_json: Json = False) -> None:
    """Show a model's card, versions and scores."""
    with connect() as client:
        view = find.model(client, model)
        newest = next((version for version in view.versions if version.status == "finished"), None)
        scores = client.submissions.scores(newest.id) if newest else []
    if as_json:
        print_json(view.model_dump(mode="json") | {"scores": [score.model_dump(mode="json") for score in scores]})
        return
    print(f"{view.name} ({view.task}) by {_owner(view)}, {_shown(view)}")
    for key, value in (view.card or {}).items():
        if value not in (None, "", []):
            print(f"{key.replace('_', ' ')}: {', '.join(value) if isinstance(value, list) else value}")
    for version in view.versions:
        print(f"v{version.version}  {version.id[: find.SHOWN]}  {version.status}  {version.created_at:%Y-%m-%d}")
    if scores:
        print_table(_scores(scores))


@app.command()
def publish(
    model: ModelRef,
    anonymous: Annotated[
        bool | None, typer.Option("--anonymous/--named", help="Hide or show your name. Default: as it is.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a model of yours to everybody."""
    _change(model, True, anonymous, as_json)


@app.command()
def unpublish(model: ModelRef, as_json: Json = False) -> None:
    """Take a model of yours from the leaderboard; its results stay."""
    _change(model, False, None, as_json)


def _change(model: str, published: bool, anonymous: bool | None, as_json: bool) -> None:
    from dynaboard.schemas import ModelChange

    with connect() as client:
        found = find.model(client, model)
        view = client.models.change(found.id, ModelChange(published=published, anonymous=anonymous))
    if as_json:
        print_json(view)
    else:
        print(f"{view.name} ({view.task}) is {_shown(view)}.")


def _owner(view: "ModelView") -> str:
    return view.owner or "anonymous"


def _shown(view: "ModelView") -> str:
    return ("published anonymously" if view.anonymous else "published") if view.published else "private"


def _scores(scores: list["ScoreView"]) -> "Table":
    """The cells of whole datasets; those of single tags are in the JSON."""
    from dynaboard.cli.board_table import decimals_of, margin

    made = table("dataset", "metric", "value", "", "unit", "examples", right=("value", "examples"))
    for score in (score for score in scores if not score.tag):
        decimals = decimals_of([other for other in scores if other.metric == score.metric])
        value, around = f"{score.value:,.{decimals}f}", margin(score, decimals)
        name = f"{score.dataset} v{score.dataset_version}"
        made.add_row(name, score.metric, value, around, score.unit, f"{score.n:,}")
    return made
