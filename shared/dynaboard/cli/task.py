"""`dynaboard task`: the tasks of a platform, as files."""

from pathlib import Path
from typing import Annotated

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, TaskName, task_name
from dynaboard.cli.output import print_json, print_table, table

app = typer.Typer(help="Tasks: what models get, what they must answer, and what ranks them.", no_args_is_help=True)


@app.command("list")
def list_tasks(as_json: Json = False) -> None:
    """List the platform's tasks."""
    with connect() as client:
        tasks = client.tasks()
    if as_json:
        print_json(tasks)
        return
    shown = table("Task", "Title", "Inputs", "Answer", "Ranked by")
    for task in tasks:
        answer = ", ".join(task.labels or task.token_labels) or task.answer_kind
        shown.add_row(task.name, task.title, ", ".join(task.inputs), answer, task.performance_metric)
    print_table(shown)


@app.command()
def show(task: TaskName, as_json: Json = False) -> None:
    """Print a task's definition, with the settings in force, as apply takes it."""
    from dynaboard.task_bundle import write_bundle

    with connect() as client:
        found = client.definitions.get(task_name(task))
    if as_json:
        print_json(found)
    else:
        print(write_bundle(found.definition), end="")


@app.command()
def apply(
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="The definition, as YAML.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    as_json: Json = False,
) -> None:
    """Create or change a task. Needs the role task-owner."""
    from dynaboard.task_bundle import read_bundle

    wanted = read_bundle(file.read_text("utf-8"))
    with connect() as client:
        done = client.definitions.apply(wanted, dry_run)
    if as_json:
        print_json(done)
        return
    for change in done.changes:
        print(change)
    words = "Nothing differs." if not done.changes else "Nothing was changed; it was only tried." if dry_run else ""
    print(words or f"{done.task} is defined by version {done.version}, with settings version {done.settings_version}.")
