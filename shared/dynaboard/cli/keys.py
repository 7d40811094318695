"""`dynaboard keys`: your API keys."""

from typing import Annotated

import typer

from dynaboard.cli import find
from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, validated
from dynaboard.cli.output import print_json, print_table, table
from dynaboard.errors import NotFound

app = typer.Typer(no_args_is_help=True, help="List, add and revoke your API keys.")
Whose = Annotated[str | None, typer.Option(metavar="NAME", help="Somebody else's (administrators).")]


@app.command("list")
def list_keys(user: Whose = None, as_json: Json = False) -> None:
    """List your keys, without their secrets."""
    with connect() as client:
        views = client.users.keys(user)
    if as_json:
        print_json(views)
        return
    made = table("id", "label", "made", "state")
    for view in views:
        state = "revoked" if view.revoked_at else "valid"
        made.add_row(view.id[: find.SHOWN], view.label, f"{view.created_at:%Y-%m-%d}", state)
    print_table(made)


@app.command()
def add(
    label: Annotated[str, typer.Option(help="What it is for, such as laptop.")] = "",
    user: Whose = None,
    as_json: Json = False,
) -> None:
    """Make a further key and print it, this once."""
    from dynaboard.schemas import KeyCreate

    wanted = validated(KeyCreate, label=label, user=user)
    with connect() as client:
        made = client.users.add_key(wanted)
    if as_json:
        print_json(made)
    else:
        print(f"A key for {made.user} ({made.role}), shown this once:\n{made.key}")


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its id or the beginning of it, never the key itself.")],
    user: Whose = None,
    as_json: Json = False,
) -> None:
    """Have a key refused from now on."""
    with connect() as client:
        found = [view for view in client.users.keys(user) if len(key) >= find.SHORTEST and view.id.startswith(key)]
        if len(found) != 1:
            raise NotFound(f"There is no one key with the id '{key}'; `dynaboard keys list` shows what there is.")
        client.users.revoke_key(found[0].id)
    if as_json:
        print_json({"revoked": found[0].id})
    else:
        print(f"The key {found[0].id[: find.SHOWN]} is refused from now on.")
