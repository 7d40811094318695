"""How far a submission is, as lines and a table. Pure: a view in, something to print out."""

from typing import TYPE_CHECKING

from dynaboard.cli.find import SHOWN
from dynaboard.cli.output import duration, table

if TYPE_CHECKING:
    from rich.table import Table

    from dynaboard.schemas import EvaluationView, SubmissionView

BAR = 24
ENDS = ("finished", "failed", "cancelled")


def headline(view: "SubmissionView") -> str:
    """One line: what it is, where it is, and how long it will take."""
    place = f"place {view.queue_position} in the queue" if view.queue_position else ""
    left = f"about {duration(view.eta_seconds)} left" if view.eta_seconds else ""
    now = ", ".join(part for part in (view.status, view.step, place, left) if part)
    return f"{view.name} v{view.version} ({view.task}, {view.id[:SHOWN]}): {now}"


def ending(view: "SubmissionView") -> list[str]:
    """Why it ended, and what to do next; empty while it runs."""
    short = view.id[:SHOWN]
    lines = [view.reason] if view.reason else []
    if view.status == "failed" and view.failure == "platform":
        lines.append("This was the platform's fault and does not count against your quota.")
    if view.status == "failed":
        lines.append(f"What the model printed: dynaboard log {short}. Once more: dynaboard retry {short}")
    if view.status == "finished":
        lines.append(f"Its place: dynaboard leaderboard {view.task}")
    if view.status == "finished" and not view.published:
        lines.append(f"Only you see it; show it to everybody with: dynaboard models publish {view.name}")
    return lines


def datasets(view: "SubmissionView", bars: bool) -> "Table":
    """Each dataset's progress; `bars` draws it, for a terminal."""
    drawn = ("progress",) if bars else ()
    made = table("dataset", "status", *drawn, "done", "all", "examples/s", "left", right=NUMBERS)
    for item in view.evaluations:
        made.add_row(*_row(item, bars))
    return made


NUMBERS = ("done", "all", "examples/s", "left")


def _row(item: "EvaluationView", bars: bool) -> list[str]:
    name = f"{item.dataset} v{item.dataset_version}" + (f" {item.perturbation}" if item.perturbation else "")
    share = item.done / item.total if item.total else 0.0
    filled = round(BAR * share)
    drawn = [f"{'━' * filled}{'╌' * (BAR - filled)} {share:4.0%}"] if bars else []
    speed = f"{item.examples_per_second:,.1f}" if item.examples_per_second else ""
    left = duration(item.eta_seconds) if item.eta_seconds else ""
    return [name, item.status, *drawn, f"{item.done:,}", f"{item.total:,}", speed, left]
