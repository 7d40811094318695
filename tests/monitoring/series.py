"""Which series there are, and which of them an expression names."""

import re

from prometheus_client import Counter, Gauge, Histogram, Info

from dynaboard import telemetry
from dynaboard.telemetry import State

# What a series of each type is called when it is scraped.
SUFFIXES = {Counter: ("_total",), Gauge: ("",), Histogram: ("_bucket", "_sum", "_count"), Info: ("_info",)}


def series_names() -> set[str]:
    """The series that dynaboard.telemetry declares, as they are scraped."""
    names = set()
    for series in vars(telemetry).values():
        if isinstance(series, State):
            names.add(series.name)
        for kind, suffixes in SUFFIXES.items():
            if isinstance(series, kind):
                names |= {next(iter(series.describe())).name + suffix for suffix in suffixes}
    return names


def named_in(expression: str) -> set[str]:
    """Our series that a PromQL expression names; recorded ones have a colon and are left out."""
    return set(re.findall(r"(?<![\w:])dynaboard_\w+(?!\w*:)", expression))
