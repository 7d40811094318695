"""A leaderboard as CSV, for programs: every number in full, the ends of its interval beside it."""

import csv
import io

from dynaboard.leaderboard_schemas import LeaderboardRow, LeaderboardView

FIRST = ("rank", "rank low", "rank high", "tie group", "score", "score low", "score high")
NAMES = ("model", "version", "owner", "verified", "baseline")
LAST = ("missing", "flags", "submission_id", "digest")


def to_csv(board: LeaderboardView) -> str:
    """One line a model, in the board's order; each metric with its unit and the ends of its interval."""
    text = io.StringIO()
    writer = csv.writer(text)
    metrics = [
        heading for name, unit in board.units.items() for heading in (f"{name} ({unit})", f"{name} low", f"{name} high")
    ]
    writer.writerow([*FIRST, *NAMES, *metrics, *LAST])
    for row in board.rows:
        writer.writerow([_harmless(value) for value in _values(row, list(board.units))])
    return text.getvalue()


def _values(row: LeaderboardRow, metrics: list[str]) -> list[object]:
    places = [row.rank, row.rank_low, row.rank_high, row.tie_group, row.score, row.score_low, row.score_high]
    names = [row.name, row.version, row.owner, row.verified, row.baseline]
    numbers: list[float | None] = []
    for name in metrics:
        cell = row.metrics[name]
        numbers += [cell.value, cell.low, cell.high] if cell else [None, None, None]
    return [*places, *names, *numbers, "; ".join(row.missing), "; ".join(row.flags), row.submission_id, row.digest]


def _harmless(value: object) -> object:
    """Text that a spreadsheet would take for a formula is marked as text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
