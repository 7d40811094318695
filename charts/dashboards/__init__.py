"""The Grafana dashboards; `python -m charts.dashboards` writes them to charts/dynaboard/monitoring/dashboards."""

import json
from pathlib import Path

from charts.dashboards.evaluation import EVALUATION
from charts.dashboards.grafana import as_grafana
from charts.dashboards.health import HEALTH
from charts.dashboards.panel import Dashboard
from charts.dashboards.queue import QUEUE
from charts.dashboards.resources import RESOURCES

DASHBOARDS = (HEALTH, QUEUE, RESOURCES, EVALUATION)
FOLDER = Path(__file__).parents[1] / "dynaboard" / "monitoring" / "dashboards"


def text_of(dashboard: Dashboard) -> str:
    """The file's text."""
    return json.dumps(as_grafana(dashboard), indent=2, ensure_ascii=False) + "\n"


def write_files() -> None:
    """Write every dashboard."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for dashboard in DASHBOARDS:
        (FOLDER / f"{dashboard.name}.json").write_text(text_of(dashboard), encoding="utf-8")
