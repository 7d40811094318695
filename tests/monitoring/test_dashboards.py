"""The dashboards' files: what charts/dashboards makes, in the shape that Grafana takes, with series that exist."""

import json
import re
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from charts.dashboards import DASHBOARDS, FOLDER, text_of
from tests.monitoring.series import named_in, series_names

FILES = sorted(FOLDER.glob("*.json"))
SHOWN = [json.loads(file.read_text(encoding="utf-8")) for file in FILES]
COLUMNS = 24
# The units of Grafana's that we use; one it does not know it would print as a word behind the number.
Unit = Literal["none", "s", "bytes", "Bps", "reqps", "ops", "percentunit"]


class Strict(BaseModel):
    """No field is missing, none is unknown, and none has another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Source(Strict):
    type: Literal["prometheus"]
    uid: Literal["${datasource}"]


class GridPos(Strict):
    x: int = Field(ge=0, lt=COLUMNS)
    y: int = Field(ge=0)
    w: int = Field(ge=4, le=COLUMNS)
    h: int = Field(ge=4)


class RangeTarget(Strict):
    refId: str = Field(pattern="^[A-Z]$")
    datasource: Source
    expr: str = Field(min_length=1)
    legendFormat: str = Field(min_length=1)
    range: Literal[True]


class TableTarget(Strict):
    refId: str = Field(pattern="^[A-Z]$")
    datasource: Source
    expr: str = Field(min_length=1)
    legendFormat: str = Field(min_length=1)
    instant: Literal[True]
    format: Literal["table"]


class Custom(Strict):
    lineWidth: int
    fillOpacity: int
    showPoints: Literal["never", "auto", "always"]


class Defaults(Strict):
    unit: Unit
    min: float | None = None
    custom: Custom | None = None


class FieldConfig(Strict):
    defaults: Defaults
    overrides: list[None] = Field(max_length=0)


class Legend(Strict):
    displayMode: Literal["list", "table", "hidden"]
    placement: Literal["bottom", "right"]
    showLegend: bool


class Tooltip(Strict):
    mode: Literal["single", "multi", "none"]
    sort: Literal["asc", "desc", "none"]


class TimeseriesOptions(Strict):
    legend: Legend
    tooltip: Tooltip


class Reduce(Strict):
    calcs: list[Literal["lastNotNull", "max", "mean"]]
    values: bool


class StatOptions(Strict):
    reduceOptions: Reduce
    colorMode: Literal["none", "value", "background"]
    graphMode: Literal["none", "area"]


class TableOptions(Strict):
    showHeader: bool


class Panel(Strict):
    """What panels of all types have."""

    id: int = Field(gt=0)
    title: str = Field(min_length=3)
    description: str = Field(min_length=10, pattern=r"\.$")
    gridPos: GridPos
    datasource: Source
    fieldConfig: FieldConfig


class Timeseries(Panel):
    type: Literal["timeseries"]
    options: TimeseriesOptions
    targets: list[RangeTarget] = Field(min_length=1)


class Stat(Panel):
    type: Literal["stat"]
    options: StatOptions
    targets: list[RangeTarget] = Field(min_length=1, max_length=1)


class Table(Panel):
    type: Literal["table"]
    options: TableOptions
    targets: list[TableTarget] = Field(min_length=1)


class DatasourceVariable(Strict):
    type: Literal["datasource"]
    name: Literal["datasource"]
    label: str
    query: Literal["prometheus"]
    refresh: Literal[1]


class VariableQuery(Strict):
    query: str
    refId: str


class QueryVariable(Strict):
    type: Literal["query"]
    name: str
    label: str
    datasource: Source
    query: VariableQuery
    # 2: asked again when the time range changes, so that what has ended in it can be chosen.
    refresh: Literal[2]
    sort: int
    includeAll: bool
    multi: bool


class Templating(Strict):
    variables: list[Annotated[DatasourceVariable | QueryVariable, Field(discriminator="type")]] = Field(alias="list")


class Annotations(Strict):
    annotations: list[None] = Field(alias="list", max_length=0)


class Link(Strict):
    title: str
    type: Literal["dashboards"]
    tags: list[str]
    asDropdown: bool
    keepTime: bool


class TimeRange(Strict):
    from_: str = Field(alias="from", pattern=r"^now-\d+[hmd]$")
    to: Literal["now"]


class Shown(Strict):
    """A whole dashboard."""

    id: None
    uid: str = Field(pattern="^dynaboard-[a-z]{1,30}$")
    title: str
    description: str
    tags: list[str]
    schemaVersion: Literal[39]
    version: int
    editable: bool
    graphTooltip: Literal[0, 1, 2]
    timezone: Literal["browser", "utc"]
    refresh: str = Field(pattern=r"^\d+s$")
    time: TimeRange
    templating: Templating
    annotations: Annotations
    links: list[Link]
    panels: list[Annotated[Timeseries | Stat | Table, Field(discriminator="type")]] = Field(min_length=1)


every_dashboard = pytest.mark.parametrize("shown", SHOWN, ids=[file.stem for file in FILES])


def test_the_files_are_what_the_program_makes() -> None:
    written = {file.name: file.read_text(encoding="utf-8") for file in FILES}
    assert written == {f"{dashboard.name}.json": text_of(dashboard) for dashboard in DASHBOARDS}, (
        "run python -m charts.dashboards"
    )


@every_dashboard
def test_a_dashboard_has_the_shape_that_grafana_takes(shown: dict[str, Any]) -> None:
    TypeAdapter(Shown).validate_json(json.dumps(shown))


@every_dashboard
def test_ids_and_titles_occur_once(shown: dict[str, Any]) -> None:
    for key in ("id", "title"):
        values = [panel[key] for panel in shown["panels"]]
        assert len(set(values)) == len(values)


@every_dashboard
def test_no_panel_covers_another(shown: dict[str, Any]) -> None:
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in shown["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(x for x, _ in cells) < COLUMNS


@every_dashboard
def test_panels_name_only_series_that_exist(shown: dict[str, Any]) -> None:
    expressions = [target["expr"] for panel in shown["panels"] for target in panel["targets"]]
    assert set().union(*map(named_in, expressions)) <= series_names()


@every_dashboard
def test_every_variable_in_use_is_declared(shown: dict[str, Any]) -> None:
    text = json.dumps(shown["panels"])
    declared = {variable["name"] for variable in shown["templating"]["list"]}
    for builtin in ("$__rate_interval", "$__range"):
        text = text.replace(builtin, "")
    used = {word.strip("{}") for word in re.findall(r"\$(\{?\w+\}?)", text)}
    assert used == declared


def test_uids_occur_once() -> None:
    assert len({shown["uid"] for shown in SHOWN}) == len(SHOWN) == len(DASHBOARDS)
