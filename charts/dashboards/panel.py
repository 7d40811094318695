"""What a dashboard is made of: panels with their queries, described once and drawn alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
RATE = "$__rate_interval"
# Probes and scrapes are no requests that anybody waits for.
ASKED = 'route!~"/healthz|/readyz|/metrics"'


@dataclass(frozen=True)
class Panel:
    """One panel: `queries` by legend; `unit` is Grafana's name of the unit of all of them."""

    title: str
    description: str
    unit: str
    queries: dict[str, str]
    kind: Literal["timeseries", "stat", "table"] = "timeseries"
    width: int = 8
    height: int = 8


@dataclass(frozen=True)
class Dashboard:
    """One file, named by its last word."""

    name: str
    title: str
    description: str
    panels: Sequence[Panel]
    variables: Sequence[dict[str, Any]] = ()
    refresh: str = "30s"


def quantiles(histogram: str, by: str, *shares: float) -> dict[str, str]:
    """Queries for quantiles of a histogram, with `by` naming the series beside them."""
    grouped = f"{by}, le" if by else "le"
    name = f"{{{{{by}}}}} " if by else ""
    return {
        f"{name}p{share * 100:g}": f"histogram_quantile({share}, sum by ({grouped}) (rate({histogram}[{RATE}])))"
        for share in shares
    }


def state_of(series: str, by: str) -> dict[str, str]:
    """What the database knows, which every process shows alike."""
    return {f"{{{{{by}}}}}": f"max by ({by}) ({series})"}


def stat(title: str, description: str, unit: str, query: str, width: int = 4) -> Panel:
    """One number."""
    return Panel(title, description, unit, {"": query}, "stat", width, 4)
