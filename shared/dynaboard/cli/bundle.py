"""`dynaboard bundle`: everything that made a submission's numbers, in one signed file."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from dynaboard.cli.account import connect
from dynaboard.cli.options import Json, SubmissionRef
from dynaboard.cli.output import console, print_json, size

Progress = Callable[[int, int], None]
Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="FILE", help="A file, or a folder for one named as the platform does.")
]


def bundle(submission: SubmissionRef, output: Output = Path(), as_json: Json = False) -> None:
    """Fetch the bundle of a submission of yours, from which `dynaboard verify` computes its numbers again.

    Task owners may fetch everybody's. That of a frozen board: dynaboard snapshots bundle.
    """
    from dynaboard.cli import find

    with connect() as client:
        wanted = find.submission(client, submission).id
        saved(lambda told: client.submissions.bundle(wanted, output, told), as_json)


def saved(fetch: Callable[[Progress], Path], as_json: bool) -> None:
    """Fetch a file with a progress bar on stderr, which shows only in a terminal, and say where it is."""
    from rich import progress

    columns = (
        progress.TextColumn("fetching"),
        progress.BarColumn(bar_width=30),
        progress.DownloadColumn(binary_units=True),
        progress.TransferSpeedColumn(),
        progress.TimeRemainingColumn(),
    )
    screen = console(stderr=True)
    with progress.Progress(*columns, console=screen, disable=as_json or not screen.is_terminal) as bars:
        bar = bars.add_task("fetch", total=None)
        file = fetch(lambda received, total: bars.update(bar, completed=received, total=total or None))
    length = file.stat().st_size
    if as_json:
        print_json({"bundle": str(file), "size": length})
    else:
        print(f"{file}: {size(length)}. Compute its numbers again with: dynaboard verify {file}")
