"""What is printed: one JSON document, or plain tables that read the same in a terminal and in a pipe."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 4_000


def print_json(value: Any) -> None:
    """Print a schema, a list of them or plain data as one line of JSON."""
    print(json.dumps(_plain(value), ensure_ascii=False, allow_nan=False), flush=True)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else value


def console(stderr: bool = False) -> "Console":
    """Where people read. Without a terminal nothing is coloured, wrapped or cut to a width."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDE
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=width is not None)


def print_table(made: "Table") -> None:
    """Print a table; in a pipe without the blanks that would fill its last column."""
    screen = console()
    if screen.is_terminal:
        screen.print(made)
        return
    with screen.capture() as capture:
        screen.print(made)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def table(*columns: str, right: Sequence[str] = ()) -> "Table":
    """A table without lines; the columns named in `right` hold numbers."""
    from rich.table import Table

    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left")
    return made


def say(sentence: str) -> None:
    """A remark for people, beside the result: to stderr."""
    print(sentence, file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """`8 s`, `3 min`, `2 h 5 min`."""
    if seconds < 100:
        return f"{max(seconds, 1):.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def size(count: int) -> str:
    """Bytes as people read them: `812 B`, `1.5 MiB`."""
    value = float(count)
    for unit in ("B", "KiB", "MiB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GiB"
