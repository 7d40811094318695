"""The documentation holds what the command prints, to the letter."""

from pathlib import Path

from services.scoring.worked_example import lines

DOCUMENT = Path(__file__).parents[2] / "docs" / "uncertainty.md"


def test_the_worked_example_of_the_documentation_is_what_the_command_prints() -> None:
    assert "\n".join(lines()).rstrip() in DOCUMENT.read_text(encoding="utf-8")
