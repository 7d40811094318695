"""The values of the chart as tables: defaults from values.yaml, meanings from values.schema.json."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

SERVICES = ("gateway", "upload", "evaluator", "scoring")
Names = tuple[str, ...]


def tables(chart: Path) -> str:
    """Markdown: one table for what the four services have alike, one for the rest."""
    values = yaml.safe_load((chart / "values.yaml").read_text(encoding="utf-8"))
    schema = json.loads((chart / "values.schema.json").read_text(encoding="utf-8"))
    return _services(values, schema) + "\n" + _others(values, schema)


def leaves(schema: Mapping[str, Any], below: Mapping[str, Any], path: Names = ()) -> Iterator[tuple[Names, str]]:
    """Every value that has no values below it, with its meaning. Raises KeyError for one without."""
    if "properties" in below:
        for name, deeper in below["properties"].items():
            yield from leaves(schema, deeper, (*path, name))
        return
    if "description" not in below:
        below = schema["$defs"][below["$ref"].rpartition("/")[2]]
    yield path, below["description"]


def default_of(values: Any, path: Names) -> str:
    """A default as YAML in one line; empty where there is none."""
    for name in path:
        if name not in values:
            return ""
        values = values[name]
    if values == "":
        return "empty"
    return f"`{yaml.safe_dump(values, default_flow_style=True, width=10_000, sort_keys=False).splitlines()[0]}`"


def _services(values: Any, schema: Mapping[str, Any]) -> str:
    kinds = {service: dict(leaves(schema, schema["properties"][service])) for service in SERVICES}
    paths = list(dict.fromkeys(path for service in SERVICES for path in kinds[service]))
    lines = ["| of each service | meaning | " + " | ".join(SERVICES) + " |", "|---|---|" + "---|" * len(SERVICES)]
    for path in paths:
        meaning = next(kinds[service][path] for service in SERVICES if path in kinds[service])
        defaults = [default_of(values[service], path) for service in SERVICES]
        lines.append(f"| `{'.'.join(path)}` | {meaning} | {' | '.join(defaults)} |")
    return "\n".join(lines) + "\n"


def _others(values: Any, schema: Mapping[str, Any]) -> str:
    lines = ["| value | default | meaning |", "|---|---|---|"]
    for name, below in schema["properties"].items():
        if name in (*SERVICES, "global"):
            continue
        for path, meaning in leaves(schema, below, (name,)):
            lines.append(f"| `{'.'.join(path)}` | {default_of(values, path)} | {meaning} |")
    return "\n".join(lines) + "\n"
