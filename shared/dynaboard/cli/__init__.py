"""The `dynaboard` command. Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no Dynaboard answers.

Modules here import nothing heavy at their top, so that `dynaboard --help` is there at once.
"""

import sys
from importlib.metadata import entry_points
from typing import Annotated, NoReturn

import typer

from dynaboard import __version__
from dynaboard.cli import backfill, datasets, forks, keys, models, snapshots, task, users
from dynaboard.cli.bundle import bundle
from dynaboard.cli.check import check
from dynaboard.cli.difference import difference
from dynaboard.cli.hardware import hardware
from dynaboard.cli.leaderboard import leaderboard
from dynaboard.cli.login import login, logout
from dynaboard.cli.measure import measure
from dynaboard.cli.output import print_json, say
from dynaboard.cli.package import package
from dynaboard.cli.predict import predict
from dynaboard.cli.scaffold import init
from dynaboard.cli.status import cancel, log, retry, status
from dynaboard.cli.submit import submit
from dynaboard.errors import DynaboardError, Unavailable

REFUSED, NOT_REACHABLE = 1, 3

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
for verb in (
    login,
    logout,
    init,
    check,
    measure,
    package,
    submit,
    status,
    log,
    cancel,
    retry,
    predict,
    leaderboard,
    difference,
    hardware,
    bundle,
):
    app.command()(verb)
for plug in sorted(entry_points(group="dynaboard.verbs"), key=lambda plug: plug.name):
    app.command(plug.name)(plug.load())
app.add_typer(models.app, name="models")
app.add_typer(datasets.app, name="datasets")
app.add_typer(task.app, name="task")
app.add_typer(backfill.app, name="backfill")
app.add_typer(snapshots.app, name="snapshots")
app.add_typer(forks.app, name="forks")
app.add_typer(users.app, name="users")
app.add_typer(keys.app, name="keys")


def _version(wanted: bool) -> None:
    if wanted:
        print(f"dynaboard {__version__}")
        raise typer.Exit


@app.callback()
def dynaboard(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")] = False,
) -> None:
    """Have a model evaluated on every dataset of its task, and ranked by the Dynascore.

    Start with `dynaboard init my-model --task sentiment`, then check, login and submit.

    DYNABOARD_URL and DYNABOARD_KEY go before what `dynaboard login` stored. Every verb takes --json.
    Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 no Dynaboard answers.
    """


def main() -> None:
    """Run the command line; every expected failure is one sentence on stderr and an exit code."""
    try:
        app(prog_name="dynaboard")
    except DynaboardError as error:
        _fail(type(error).__name__, error.detail, NOT_REACHABLE if isinstance(error, Unavailable) else REFUSED)
    except OSError as error:  # a file that cannot be read or written: theirs to know, not a traceback
        _fail("OSError", f"{error.filename or 'This machine'}: {error.strerror or error}.", REFUSED)


def _fail(kind: str, sentence: str, code: int) -> NoReturn:
    if "--json" in sys.argv:
        print_json({"error": kind, "detail": sentence})
    say(sentence)
    sys.exit(code)
