"""A leaderboard as a Markdown table (GitHub's dialect)."""

import re

from dynaboard.leaderboard_schemas import LeaderboardRow, LeaderboardView
from services.scoring.exports.numbers import interval, method_sentences, number, value_and_interval, whole_interval

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&])")


def escaped(text: str) -> str:
    """The text as Markdown shows it, in a table too; white space and control characters become one space."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return _SPECIAL.sub(r"\\\1", plain)


def to_markdown(board: LeaderboardView) -> str:
    """The table, and below it what made the numbers."""
    headings = ["Rank", "Model", "Score", *(f"{name} ({unit})" for name, unit in board.units.items())]
    lines = [
        _line([escaped(heading) for heading in headings]),
        _line(["--:", ":--", *["--:"] * (1 + len(board.units))]),
        *(_line(_texts(row, board)) for row in board.rows),
        "",
        *(f"- {escaped(sentence)}" for sentence in method_sentences(board)),
    ]
    return "\n".join(lines) + "\n"


def _texts(row: LeaderboardRow, board: LeaderboardView) -> list[str]:
    rank = ("–", "") if row.rank is None else (str(row.rank), whole_interval(row.rank_low, row.rank_high))
    score = ("–", "") if row.score is None else (number(row.score), interval(row.score_low, row.score_high))
    cells = [value_and_interval(row.metrics[name]) for name in board.units]
    return [_pair(*rank), escaped(row.name), *(_pair(*pair) for pair in (score, *cells))]


def _pair(value: str, ends: str) -> str:
    return escaped(f"{value} {ends}".strip())


def _line(texts: list[str]) -> str:
    return f"| {' | '.join(texts)} |"
