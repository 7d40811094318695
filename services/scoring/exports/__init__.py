"""A leaderboard in the formats people take with them. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dynaboard.leaderboard_schemas import LeaderboardView
from services.scoring.exports.comma_separated import to_csv
from services.scoring.exports.latex import to_latex
from services.scoring.exports.markdown import to_markdown


@dataclass(frozen=True)
class Export:
    """A format: its media type, and a board written in it."""

    media_type: str
    write: Callable[[LeaderboardView], str]


EXPORTS: Mapping[str, Export] = {
    "csv": Export("text/csv", to_csv),
    "json": Export("application/json", lambda board: board.model_dump_json(indent=2)),
    "tex": Export("application/x-tex", to_latex),
    "md": Export("text/markdown", to_markdown),
}
