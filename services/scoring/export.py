"""A leaderboard as CSV. Pure."""

import csv
import io

from dynaboard.schemas import LeaderboardView

FIRST = ("rank", "score", "model", "version", "owner", "verified", "baseline")
LAST = ("missing", "flags", "submission_id", "digest")


def to_csv(board: LeaderboardView) -> str:
    """One line a model; each metric with its unit and the ends of its interval."""
    text = io.StringIO()
    writer = csv.writer(text)
    metrics = [
        heading for name, unit in board.units.items() for heading in (f"{name} ({unit})", f"{name} low", f"{name} high")
    ]
    writer.writerow([*FIRST, *metrics, *LAST])
    for row in board.rows:
        numbers: list[float | None] = []
        for name in board.units:
            cell = row.metrics[name]
            numbers += [cell.value, cell.low, cell.high] if cell else [None, None, None]
        first = [row.rank, row.score, row.name, row.version, row.owner, row.verified, row.baseline]
        last = ["; ".join(row.missing), "; ".join(row.flags), row.submission_id, row.digest]
        writer.writerow([*first, *numbers, *last])
    return text.getvalue()
