"""From nothing to a leaderboard: datasets in, models in, wait, print. What `make demo` and `make demo-real` share."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from dynaboard import archive
from dynaboard.client import Client
from dynaboard.errors import DynaboardError
from dynaboard.schemas import SubmissionView
from examples.local_platform import LocalPlatform

ENDS = {"finished", "failed", "cancelled"}


@dataclass(frozen=True)
class DatasetFile:
    """A file of examples, and what the platform must know of it."""

    path: Path
    task: str
    name: str
    role: str
    licence: str
    citation: str
    description: str = ""


def add_datasets(client: Client, files: Sequence[DatasetFile], console: Console) -> None:
    """Add each file that is not there yet; the same bytes again are the same version."""
    for file in files:
        fields = {
            "task": file.task,
            "name": file.name,
            "role": file.role,
            "licence": file.licence,
            "citation": file.citation,
            "description": file.description,
            "format": "jsonl",
        }
        view = client.datasets.add(file.path, {field: value for field, value in fields.items() if value})
        console.print(f"  dataset {view.task:12} {view.name} v{view.version} ({view.examples} examples, {view.role})")


def submit_models(client: Client, folders: Sequence[Path], console: Console) -> list[SubmissionView]:
    """Package, upload and publish each folder, unless this very archive was submitted before."""
    known = {view.digest: view for view in client.submissions.mine() if view.status not in {"failed", "cancelled"}}
    views = []
    with TemporaryDirectory() as temporary:
        for folder in folders:
            target = Path(temporary) / f"{folder.name}.zip"
            digest = archive.build(folder, target)
            view = known.get(digest) or client.submissions.submit(target, publish=True)
            target.unlink()
            console.print(f"  model   {view.task:12} {view.name} v{view.version}")
            views.append(view)
    return views


def follow(client: Client, views: Sequence[SubmissionView], console: Console) -> bool:
    """Show how far each submission is until all have ended. True when all are finished."""
    waiting = {view.id: view for view in views}
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn())
    good = True
    with Progress(*columns, TextColumn("{task.fields[step]}"), console=console, transient=True) as bars:
        rows = {view.id: bars.add_task(f"  {view.name:26}", total=None, start=False, step="waits") for view in views}
        while waiting:
            for submission_id in list(waiting):
                view = client.submissions.get(submission_id)
                _draw(bars, rows[submission_id], view)
                if view.status in ENDS:
                    good = _tell_end(view, console) and good
                    del waiting[submission_id]
            time.sleep(0.3)
    return good


def _draw(bars: Progress, row: TaskID, view: SubmissionView) -> None:
    done, total = (
        (sum(values) for values in zip(*((e.done, e.total) for e in view.evaluations), strict=True))
        if (view.evaluations)
        else (0, None)
    )
    if view.status == "running" and not bars.tasks[bars.task_ids.index(row)].started:
        bars.start_task(row)
    bars.update(row, completed=done, total=total, step=view.step or view.status)


def _tell_end(view: SubmissionView, console: Console) -> bool:
    seconds = (view.finished_at - view.started_at).total_seconds() if view.finished_at and view.started_at else 0
    console.print(f"  {view.status:9} {view.name:28} {seconds:6.1f} s  {view.reason or ''}")
    return view.status == "finished"


def print_boards(platform: LocalPlatform, tasks: Sequence[str], console: Console) -> None:
    """Print each task's leaderboard with the very command a user would type."""
    environment = os.environ | {"DYNABOARD_URL": platform.url, "DYNABOARD_KEY": platform.key}
    for task in tasks:
        console.print(f"\n$ dynaboard leaderboard {task}", style="bold")
        command = [sys.executable, "-m", "dynaboard.cli", "leaderboard", task]
        subprocess.run(command, check=True, env=environment)


def serve_until_interrupted(platform: LocalPlatform, console: Console) -> None:
    """With a terminal: stay until Ctrl-C. Without one: return at once."""
    console.print(f"\nThe leaderboards are at {platform.url}; the API's documentation at {platform.url}/api/v1/docs.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    console.print(f"Your key: export DYNABOARD_KEY=$(cat {platform.log.parent / 'secrets' / 'admin-key'})")
    console.print("Ctrl-C ends it; a second start finds everything where it was.")
    with suppress(KeyboardInterrupt):
        while True:
            time.sleep(3600)


@contextmanager
def told_plainly() -> Iterator[None]:
    """End the program with one sentence instead of a traceback, on an error of ours and on Ctrl-C."""
    try:
        yield
    except DynaboardError as error:
        sys.exit(f"dynaboard: {error.detail}")
    except KeyboardInterrupt:
        sys.exit("\nInterrupted; everything is stopped, and the same command goes on where this one was.")
