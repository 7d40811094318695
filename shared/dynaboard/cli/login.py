"""`dynaboard login` and `logout`."""

import os
import sys
from typing import Annotated

import typer

from dynaboard.cli import account
from dynaboard.cli.options import Json
from dynaboard.cli.output import print_json, say
from dynaboard.errors import Invalid


def login(
    url: Annotated[
        str, typer.Option(envvar="DYNABOARD_URL", help="Address of the Dynaboard.", show_envvar=False)
    ] = account.DEFAULT_URL,
    as_json: Json = False,
) -> None:
    """Store the address of a Dynaboard and your API key for it.

    The key is checked first. It is asked for without showing it, or read from stdin, or from DYNABOARD_KEY.
    """
    from dynaboard.client import Client

    url = url.rstrip("/")
    key = _read_key()
    with Client(url, key) as client:
        me = client.users.me()
    file = account.store(account.Account(url, key))
    if as_json:
        print_json({"url": url, **me.model_dump(), "stored_in": str(file)})
    else:
        print(f"You are {me.name} ({me.role}) at {url}; the key is stored in {file}.")


def logout(as_json: Json = False) -> None:
    """Forget the stored address and API key."""
    file = account.path()
    existed = file.exists()
    file.unlink(missing_ok=True)
    if as_json:
        print_json({"forgotten": existed})
    else:
        print("The stored key is forgotten." if existed else "No key was stored.")
    if os.environ.get("DYNABOARD_KEY"):
        say("DYNABOARD_KEY is still set and stays in force.")


def _read_key() -> str:
    key = os.environ.get("DYNABOARD_KEY", "")
    if not key:
        key = typer.prompt("API key", hide_input=True, err=True) if sys.stdin.isatty() else sys.stdin.readline()
    key = key.strip()
    if not key:
        raise Invalid("No API key was given: type it when asked, or pipe it in, as in `dynaboard login < key.txt`.")
    return key
