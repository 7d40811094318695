"""`dynaboard users`: who may use this Dynaboard; for administrators."""

from typing import Annotated

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, validated
from dynaboard.cli.output import print_json, print_table, table

app = typer.Typer(no_args_is_help=True, help="List and add users (administrators).")


@app.command("list")
def list_users(as_json: Json = False) -> None:
    """List the users and their roles."""
    with connect() as client:
        views = client.users.all()
    if as_json:
        print_json(views)
        return
    made = table("user", "role")
    for view in views:
        made.add_row(view.name, view.role)
    print_table(made)


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Letters, digits and . _ - only.")],
    role: Annotated[str, typer.Option(metavar="ROLE", help="reader, submitter, task-owner or admin.")] = "submitter",
    as_json: Json = False,
) -> None:
    """Add a user and print their first API key, which nobody can see again."""
    from dynaboard.schemas import UserCreate

    user = validated(UserCreate, name=name, role=role)
    with connect() as client:
        made = client.users.add(user)
    if as_json:
        print_json(made)
    else:
        print(f"{made.user} ({made.role}) may log in with this key, shown this once:\n{made.key}")
