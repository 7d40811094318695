"""`dynaboard status`, `log`, `cancel` and `retry`: a submission on its way."""

from typing import TYPE_CHECKING, Annotated

import typer

from dynaboard.cli import find
from dynaboard.cli.account import connect
from dynaboard.cli.follow import follow_submission
from dynaboard.cli.options import Json, SubmissionRef
from dynaboard.cli.output import console, print_json, print_table, table
from dynaboard.cli.progress import datasets, ending, headline
from dynaboard.errors import readable

if TYPE_CHECKING:
    from dynaboard.schemas import SubmissionView


def status(
    submission: Annotated[
        str | None,
        typer.Argument(
            metavar="SUBMISSION", help="An id, the beginning of one, or a name. Default: all; with --follow the newest."
        ),
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Watch until it ends; exit code 1 unless it is finished.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how far your submissions are, or one of them in full.

    With --follow and --json: one JSON document for each change.
    """
    with connect() as client:
        if submission is None and not follow:
            _print_all(client.submissions.mine(), as_json)
            return
        found = find.submission(client, submission) if submission else find.newest(client)
        if follow:
            raise typer.Exit(follow_submission(client, found.id, as_json))
        _print_one(client.submissions.get(found.id), as_json)


def log(submission: SubmissionRef, as_json: Json = False) -> None:
    """Show what a model printed, with the traceback of its failure."""
    with connect() as client:
        found = find.submission(client, submission)
        text = client.submissions.log(found.id)
    if as_json:
        print_json({"submission_id": found.id, "log": text})
    else:
        text = readable(text, kept="\n\t")  # a model may have printed what a terminal obeys
        print(text, end="" if text.endswith("\n") else "\n")


def cancel(submission: SubmissionRef, as_json: Json = False) -> None:
    """Stop a submission."""
    with connect() as client:
        _print_one(client.submissions.cancel(find.submission(client, submission).id), as_json)


def retry(submission: SubmissionRef, as_json: Json = False) -> None:
    """Start a failed or cancelled submission again."""
    with connect() as client:
        _print_one(client.submissions.retry(find.submission(client, submission).id), as_json)


def _print_one(view: "SubmissionView", as_json: bool) -> None:
    if as_json:
        print_json(view)
        return
    screen = console()
    print(headline(view))
    if view.evaluations:
        print_table(datasets(view, bars=screen.is_terminal))
    for line in ending(view):
        print(line)


def _print_all(views: list["SubmissionView"], as_json: bool) -> None:
    if as_json:
        print_json(views)
        return
    if not views:
        print("You have submitted nothing yet; start with `dynaboard init`.")
        return
    made = table("id", "model", "version", "task", "status", "submitted", "", right=("version",))
    for view in views:
        when = f"{view.created_at.astimezone():%Y-%m-%d %H:%M}"
        detail = view.step or view.reason or ""
        made.add_row(view.id[: find.SHOWN], view.name, str(view.version), view.task, view.status, when, detail)
    print_table(made)
