"""A leaderboard as a table of text. Pure: a view in, aligned cells out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dynaboard.cli.output import table

if TYPE_CHECKING:
    from rich.table import Table

    from dynaboard.leaderboard_schemas import CellView, LeaderboardRow, LeaderboardView

NOTHING = "–"


def board(view: "LeaderboardView") -> "Table":
    """Rank with the ranks that the data leaves open, model, score, each metric with the farther end of its interval."""
    metrics = [name for name in view.weights if any(row.metrics.get(name) for row in view.rows)]
    headings = [_heading(name, view.units) for name in metrics]
    # A snapshot names no owners, and a column of nothing would say that all are anonymous.
    owners = ["owner"] if any(row.owner for row in view.rows) else []
    made = table("rank", "model", *owners, "score", *headings, "remarks", right=("rank", "score"))
    columns = [numbers([row.metrics.get(name) for row in view.rows]) for name in metrics]
    for place, row in enumerate(view.rows):
        rank = _rank(row)
        score = NOTHING if row.score is None else f"{row.score:.2f}"
        values = [column[place] for column in columns]
        owner = [row.owner or "anonymous"] if owners else []
        made.add_row(rank, f"{row.name} v{row.version}", *owner, score, *values, _remarks(row))
    return made


def notes(view: "LeaderboardView") -> list[str]:
    """What a reader must know beside the numbers: weights, what was left out and why, and the warnings."""
    counted = {name: weight for name, weight in view.weights.items() if name not in view.excluded}
    lines = ["weights: " + ", ".join(f"{name} {weight:.3g}" for name, weight in counted.items())]
    lines += [f"{name} is left out: {reason}" for name, reason in view.excluded.items()]
    lines += [
        f"{row.name} v{row.version} is not ranked yet: no {', '.join(row.missing)}" for row in view.rows if row.missing
    ]
    lines += [*_ties(view), *view.explanations, *view.warnings]
    if len(view.rows) < view.total:
        lines.append(f"{len(view.rows)} of {view.total} models are shown; --limit shows more.")
    return lines


def numbers(cells: list["CellView | None"]) -> list[str]:
    """One column's cells, aligned: values at the right, ± beside them."""
    decimals = decimals_of([cell for cell in cells if cell])
    values = [f"{cell.value:,.{decimals}f}" if cell else NOTHING for cell in cells]
    widths = [margin(cell, decimals) if cell else "" for cell in cells]
    left, right = max(map(len, values), default=0), max(map(len, widths), default=0)
    return [f"{value:>{left}} {width:<{right}}" for value, width in zip(values, widths, strict=True)]


def decimals_of(cells: Sequence["CellView"]) -> int:
    """How many decimals a metric's values are shown with: fewer, the greater they get."""
    greatest = max((abs(cell.value) for cell in cells), default=0.0)
    return 0 if greatest >= 10_000 else 1 if greatest >= 1_000 else 2 if greatest >= 1 else 3


def margin(cell: "CellView", decimals: int) -> str:
    """The distance from the value to the farther end of its interval; empty without one."""
    if cell.low is None or cell.high is None:
        return ""
    return f"±{max(cell.high - cell.value, cell.value - cell.low):,.{decimals}f}"


def _rank(row: "LeaderboardRow") -> str:
    if row.rank is None:
        return NOTHING
    return str(row.rank) if row.rank_low == row.rank_high else f"{row.rank} ({row.rank_low}–{row.rank_high})"


def _ties(view: "LeaderboardView") -> list[str]:
    """Each tie group of several models, a sentence each; groups are complete where all rows are shown, best first."""
    groups: dict[int, list[str]] = {}
    for row in view.rows:
        if row.tie_group is not None:
            groups.setdefault(row.tie_group, []).append(f"{row.name} v{row.version}")
    return [
        f"{', '.join(names)} tie: the data does not tell them apart from the first of them."
        for names in groups.values()
        if len(names) > 1
    ]


def _heading(metric: str, units: dict[str, str]) -> str:
    return f"{metric} ({units[metric]})" if units.get(metric) else metric


def _remarks(row: "LeaderboardRow") -> str:
    return ", ".join([*(["baseline"] if row.baseline else []), *row.flags])
