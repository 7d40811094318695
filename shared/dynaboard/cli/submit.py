"""`dynaboard submit`: package, announce, upload with a progress bar, and follow."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynaboard.cli import resume
from dynaboard.cli.account import connect
from dynaboard.cli.follow import follow_submission
from dynaboard.cli.options import FolderOrArchive, Json
from dynaboard.cli.output import console, print_json, say
from dynaboard.cli.package import Packed, packed

if TYPE_CHECKING:
    from dynaboard.client import Client
    from dynaboard.schemas import SubmissionView


def submit(
    folder: FolderOrArchive,
    publish: Annotated[
        bool, typer.Option("--publish", help="Show the model on the leaderboard once it is ranked.")
    ] = False,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Hide your name from everybody else.")] = False,
    follow: Annotated[
        bool | None, typer.Option("--follow/--no-follow", help="Watch until it is scored. Default: in a terminal.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Send a model to be evaluated; again, to resume an interrupted upload."""
    with connect() as client:
        with packed(folder) as archive:
            view = _send(client, archive, publish, anonymous, as_json)
        if follow if follow is not None else (sys.stdout.isatty() and not as_json):
            say_unless(as_json, _submitted(view))
            raise typer.Exit(follow_submission(client, view.id, as_json))
    if as_json:
        print_json(view)
    else:
        print(f"{_submitted(view)} Watch it with `dynaboard status {view.id[:8]} --follow`.")


def _submitted(view: "SubmissionView") -> str:
    return f"Submitted {view.name} version {view.version} ({view.id[:8]})."


def say_unless(quiet: bool, sentence: str) -> None:
    if not quiet:
        say(sentence)


def _send(client: "Client", archive: Packed, publish: bool, anonymous: bool, quiet: bool) -> "SubmissionView":
    submission_id = resume.recall(client, archive.sha256)
    if submission_id:
        say_unless(quiet, "Resuming the interrupted upload of this archive.")
    else:
        submission_id = _announce(client, archive, publish, anonymous)
        resume.remember(client.url, archive.sha256, submission_id)
    try:
        view = _upload(client, submission_id, archive.path, quiet)
    except KeyboardInterrupt:
        say("Interrupted; what has arrived is kept. The same command resumes the upload.")
        raise typer.Exit(130) from None
    resume.forget(archive.sha256)
    return view


def _announce(client: "Client", archive: Packed, publish: bool, anonymous: bool) -> str:
    from dynaboard.schemas import SubmissionCreate

    manifest = archive.contents.manifest
    announced = SubmissionCreate(
        task=manifest.task,
        name=manifest.name,
        size=archive.path.stat().st_size,
        sha256=archive.sha256,
        publish=publish,
        anonymous=anonymous,
    )
    return client.submissions.create(announced).id


def _upload(client: "Client", submission_id: str, path: Path, quiet: bool) -> "SubmissionView":
    """Upload with a progress bar on stderr, which shows only in a terminal."""
    from rich import progress

    columns = (
        progress.TextColumn("uploading"),
        progress.BarColumn(bar_width=30),
        progress.DownloadColumn(binary_units=True),
        progress.TransferSpeedColumn(),
        progress.TimeRemainingColumn(),
    )
    screen = console(stderr=True)
    with progress.Progress(*columns, console=screen, disable=quiet or not screen.is_terminal) as bars:
        bar = bars.add_task("upload", total=path.stat().st_size)
        return client.submissions.upload(
            submission_id, path, lambda sent, total: bars.update(bar, completed=sent, total=total)
        )
