"""`dynaboard backfill`: old models on new data, new metrics on old predictions; for task owners."""

from typing import TYPE_CHECKING, Annotated

import typer

from dynaboard.cli import find
from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, OptionalTask, TaskName, task_name
from dynaboard.cli.output import print_json, print_table, table

if TYPE_CHECKING:
    from dynaboard.backfill_schemas import BackfillItem, BackfillView, FillView
    from dynaboard.client.backfill import Action

app = typer.Typer(no_args_is_help=True, help="Run old models on new data, and say when.")


@app.command()
def show(task: OptionalTask = None, as_json: Json = False) -> None:
    """Show what boards lack, what it will take, what runs and what failed."""
    with connect() as client:
        views = client.backfill.show(task and task_name(task))
        fills = client.backfill.metrics(task and task_name(task))
    if as_json:
        print_json({"backfill": [view.model_dump(mode="json") for view in views],
                    "metrics": [fill.model_dump(mode="json") for fill in fills]})  # fmt: skip
        return
    for view, fill in zip(views, fills, strict=True):
        _print(view, fill)


@app.command()
def start(task: TaskName, as_json: Json = False) -> None:
    """Do everything that is missing: held datasets, other perturbations and protocols, and what failed before."""
    _steer("start", task, as_json)


@app.command()
def pause(task: TaskName, as_json: Json = False) -> None:
    """Queue nothing more, and stop what runs; the predictions stored so far are kept."""
    _steer("pause", task, as_json)


@app.command()
def resume(task: TaskName, as_json: Json = False) -> None:
    """Go on by itself, as at first: old models see new data."""
    _steer("resume", task, as_json)


@app.command()
def moved(
    task: TaskName,
    metric: Annotated[str, typer.Argument(metavar="METRIC", help="For example accuracy.")],
    before: Annotated[str | None, typer.Option(metavar="VERSION", help="The older version.")] = None,
    after: Annotated[str | None, typer.Option(metavar="VERSION", help="The newer version.")] = None,
    as_json: Json = False,
) -> None:
    """Show whom a corrected metric moves: its two newest versions, or two others, side by side."""
    with connect() as client:
        found = client.backfill.difference(task_name(task), metric, before, after)
    if as_json:
        print_json(found)
        return
    print(f"{found.metric} v{found.before} and v{found.after} on {', '.join(found.datasets)}: {found.sentence}.")
    made = table("model", "before", "after", "change", "rank", right=("before", "after", "change"))
    for row in found.models:
        ranks = f"{row.rank_before} → {row.rank_after}" if row.rank_before != row.rank_after else str(row.rank_after)
        made.add_row(row.model, f"{row.before:.2f}", f"{row.after:.2f}", f"{row.change:+.2f}", ranks)
    print_table(made)


def _steer(action: "Action", task: str, as_json: bool) -> None:
    with connect() as client:
        view = client.backfill.steer(action, task_name(task))
    if as_json:
        print_json(view)
    else:
        print(f"{view.task} ({view.mode}): {view.sentence}")


def _print(view: "BackfillView", fill: "FillView") -> None:
    print(f"{view.task} ({view.mode}): {_state(view)}")
    if fill.cells:
        print(f"  {fill.sentence}{' (paused)' if fill.paused else ''}")
    for failed in fill.failed:
        print(f"  {failed.reason} (on {failed.evaluations:,} evaluations; mend it and start the scoring service anew)")
    if not view.items:
        return
    made = table("submission", "model", "state", "on", "examples", "about", "", right=("examples", "about"))
    for item in view.items:
        said = item.step or item.reason or ""
        seconds = f"{item.seconds:.0f} s"
        made.add_row(
            item.submission_id[: find.SHOWN], item.model, item.state, _texts(item), f"{item.examples:,}", seconds, said
        )
    print_table(made)


def _state(view: "BackfillView") -> str:
    """What goes on by itself, what waits, or that nothing is missing."""
    states = {item.state for item in view.items}
    waits = f"waits for `dynaboard backfill start {view.task}`: {view.waiting}"
    if "waits" not in states:
        return view.sentence
    return f"{view.sentence}; {waits}" if states - {"waits", "failed"} else waits


def _texts(item: "BackfillItem") -> str:
    named = [f"{each.dataset} {each.suite}".strip() for each in item.texts]
    return named[0] if len(named) == 1 else f"{named[0]} and {len(named) - 1} more" if named else ""
