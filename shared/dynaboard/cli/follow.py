"""Watching a submission until it ends: a live table in a terminal, a line for each change in a pipe, or JSON lines."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dynaboard.cli.output import console, print_json
from dynaboard.cli.progress import ENDS, datasets, ending, headline
from dynaboard.errors import Unavailable

if TYPE_CHECKING:
    from dynaboard.client import Client
    from dynaboard.schemas import SubmissionView

POLL_S = 0.5
# A platform that restarts is waited for; nothing is lost meanwhile.
PATIENCE_S = 60.0


def follow_submission(client: "Client", submission_id: str, as_json: bool) -> int:
    """Print until the submission ends. Returns the exit code: 0 for finished, 1 for failed or cancelled."""
    screen = console()
    if as_json:
        last = _json_lines(_views(client, submission_id))
    elif screen.is_terminal:
        last = _live(_views(client, submission_id))
    else:
        last = _lines(_views(client, submission_id))
    if not as_json:
        for line in ending(last):
            print(line)
    return 0 if last.status == "finished" else 1


def _views(client: "Client", submission_id: str) -> Iterator["SubmissionView"]:
    """The submission twice a second, the last time when it has ended."""
    while True:
        view = _patiently(client, submission_id)
        yield view
        if view.status in ENDS:
            return
        time.sleep(POLL_S)


def _patiently(client: "Client", submission_id: str) -> "SubmissionView":
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return client.submissions.get(submission_id)
        except Unavailable:
            if time.monotonic() > deadline:
                raise
            time.sleep(POLL_S)


def _json_lines(views: Iterator["SubmissionView"]) -> "SubmissionView":
    """One document for each change, so the first and the last view are always there."""
    shown = None
    for view in views:
        if view != shown:
            print_json(view)
        shown = view
    assert shown is not None
    return shown


def _lines(views: Iterator["SubmissionView"]) -> "SubmissionView":
    """A line for each new status or step, and for each dataset that ends."""
    shown: set[str] = set()
    for view in views:
        steps = [f"{view.name} v{view.version}: {view.status}" + (f", {view.step}" if view.step else "")]
        done = [item for item in view.evaluations if item.total and item.done == item.total]
        steps += [f"{item.dataset} v{item.dataset_version}: {item.done:,} of {item.total:,} done" for item in done]
        for line in (line for line in steps if line not in shown):
            print(line, flush=True)
            shown.add(line)
    return view


def _live(views: Iterator["SubmissionView"]) -> "SubmissionView":
    from rich.console import Group
    from rich.live import Live

    with Live(console=console(), auto_refresh=False) as live:
        for view in views:
            live.update(Group(headline(view), datasets(view, bars=True)), refresh=True)
    return view
