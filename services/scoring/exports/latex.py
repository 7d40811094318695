"""A leaderboard as a LaTeX table (package booktabs), ready to be put into a paper."""

from dynaboard.leaderboard_schemas import LeaderboardRow, LeaderboardView
from services.scoring.exports.numbers import interval, method_sentences, number, value_and_interval, whole_interval

_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
    }
)


def escaped(text: str) -> str:
    """The text as LaTeX prints it; white space and control characters become one space."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split()).translate(_ESCAPED)


def to_latex(board: LeaderboardView) -> str:
    """A `table` with a caption that says what made the numbers. Needs \\usepackage{booktabs}."""
    headings = ["Rank", "Model", "Score", *(f"{name} ({unit})" for name, unit in board.units.items())]
    lines = [
        "% Needs \\usepackage{booktabs}.",
        "\\begin{table}",
        "\\centering",
        f"\\begin{{tabular}}{{rl{'r' * (1 + len(board.units))}}}",
        "\\toprule",
        _line([escaped(heading) for heading in headings]),
        "\\midrule",
        *(_line(_texts(row, board)) for row in board.rows),
        "\\bottomrule",
        "\\end{tabular}",
        f"\\caption{{{escaped(' '.join([f'Leaderboard of {board.task}.', *method_sentences(board)]))}}}",
        f"\\label{{tab:dynaboard-{board.task}}}",
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _texts(row: LeaderboardRow, board: LeaderboardView) -> list[str]:
    rank = ("--", "") if row.rank is None else (str(row.rank), whole_interval(row.rank_low, row.rank_high))
    score = ("--", "") if row.score is None else (number(row.score), interval(row.score_low, row.score_high))
    cells = [value_and_interval(row.metrics[name]) for name in board.units]
    return [_small(*rank), escaped(row.name), *(_small(*pair) for pair in (score, *cells))]


def _small(value: str, ends: str) -> str:
    # A bracket right after \\ would be taken for its argument, and so would one after an empty cell.
    return escaped(value) + (f" {{\\scriptsize {ends}}}" if ends else "")


def _line(texts: list[str]) -> str:
    return " & ".join(texts) + " \\\\"
