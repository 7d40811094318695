"""Dashboards as Grafana's JSON model. Ids are stable: a panel's is its place."""

from collections.abc import Sequence
from typing import Any

from charts.dashboards.panel import DATASOURCE, Dashboard, Panel

SCHEMA_VERSION = 39
COLUMNS = 24


def as_grafana(dashboard: Dashboard) -> dict[str, Any]:
    """The dashboard as Grafana's JSON model."""
    return {
        "id": None,
        "uid": f"dynaboard-{dashboard.name}",
        "title": dashboard.title,
        "description": dashboard.description,
        "tags": ["dynaboard"],
        "schemaVersion": SCHEMA_VERSION,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "timezone": "browser",
        "refresh": dashboard.refresh,
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [_datasource_variable(), *dashboard.variables]},
        "annotations": {"list": []},
        "links": [_others()],
        "panels": _laid_out(dashboard.panels),
    }


def _datasource_variable() -> dict[str, Any]:
    return {"name": "datasource", "label": "Prometheus", "type": "datasource", "query": "prometheus", "refresh": 1}


def _others() -> dict[str, Any]:
    return {"title": "Dynaboard", "type": "dashboards", "tags": ["dynaboard"], "asDropdown": True, "keepTime": True}


def _laid_out(panels: Sequence[Panel]) -> list[dict[str, Any]]:
    """From left to right and down; a row is as high as its highest panel."""
    placed, x, y, height = [], 0, 0, 0
    for number, panel in enumerate(panels, start=1):
        if x + panel.width > COLUMNS:
            x, y, height = 0, y + height, 0
        placed.append(_panel(number, panel, x, y))
        x, height = x + panel.width, max(height, panel.height)
    return placed


def _panel(number: int, panel: Panel, x: int, y: int) -> dict[str, Any]:
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.description,
        "gridPos": {"x": x, "y": y, "w": panel.width, "h": panel.height},
        "datasource": DATASOURCE,
        "fieldConfig": {"defaults": {"unit": panel.unit} | FIELDS[panel.kind], "overrides": []},
        "options": OPTIONS[panel.kind],
        "targets": [
            _target(chr(ord("A") + place), panel.kind, legend, expression)
            for place, (legend, expression) in enumerate(panel.queries.items())
        ],
    }


def _target(ref: str, kind: str, legend: str, expression: str) -> dict[str, Any]:
    target = {"refId": ref, "datasource": DATASOURCE, "expr": expression, "legendFormat": legend or "__auto"}
    return target | ({"instant": True, "format": "table"} if kind == "table" else {"range": True})


FIELDS: dict[str, dict[str, Any]] = {
    "timeseries": {"min": 0, "custom": {"lineWidth": 1, "fillOpacity": 10, "showPoints": "never"}},
    "stat": {},
    "table": {},
}
OPTIONS: dict[str, dict[str, Any]] = {
    "timeseries": {
        "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
        "tooltip": {"mode": "multi", "sort": "desc"},
    },
    "stat": {"reduceOptions": {"calcs": ["lastNotNull"], "values": False}, "colorMode": "none", "graphMode": "area"},
    "table": {"showHeader": True},
}
