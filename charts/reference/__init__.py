"""What of the chart follows from the code, written by `python -m charts.reference`.

The settings in values.schema.json, and the tables of values in README.md.
"""

import json
from pathlib import Path

from charts.reference.setting_names import settings_schemas
from charts.reference.values_table import tables

CHART = Path(__file__).parents[1] / "dynaboard"
SCHEMA, GUIDE = CHART / "values.schema.json", CHART / "README.md"
BEGIN, END = "<!-- values: python -m charts.reference writes this -->\n", "<!-- end of values -->\n"


def schema_text() -> str:
    """The text of values.schema.json with the settings that the services know now."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    schema["$defs"] |= settings_schemas()
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def guide_text() -> str:
    """The text of README.md with the tables of values as values.yaml and values.schema.json are now."""
    before, rest = GUIDE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    return before + BEGIN + tables(CHART) + END + after


def write_files() -> None:
    """Write both."""
    SCHEMA.write_text(schema_text(), encoding="utf-8")
    GUIDE.write_text(guide_text(), encoding="utf-8")
