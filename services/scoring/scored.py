"""One evaluation's score cells without those of metrics that fail: a bad metric costs nobody a good one's value."""

import logging
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from dynaboard.telemetry import METRIC_FAILURES
from services.scoring.metrics.plug import MetricFailure
from services.scoring.objects import Objects
from services.scoring.score import Version, Wants, Work, metric_cells, stored_references
from services.scoring.stored import References

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Scored:
    """The rows of the table `scores`, and the metrics of operators that failed and so have none."""

    cells: list[dict[str, Any]]
    failures: Mapping[Version, MetricFailure]


def score_cells(storage: Objects, work: Work, replicates: int) -> list[dict[str, Any]]:
    """The rows of every metric that does not fail.

    Raises PlatformFailure where what is stored does not fit together, or where the metric that ranks fails.
    """
    scored = sound_cells(storage, work, stored_references(storage, work), replicates, lambda _: True)
    for (name, _), failure in scored.failures.items():
        if name == work.task.performance_metric:
            raise failure
    return scored.cells


def sound_cells(storage: Objects, work: Work, references: References, replicates: int, wants: Wants) -> Scored:
    """The metrics that are wanted, as far as they do not fail.

    Raises PlatformFailure where what is stored does not fit together.
    """
    failures: dict[Version, MetricFailure] = {}
    while True:
        try:
            cells = metric_cells(storage, work, references, replicates, _but(wants, failures))
        except MetricFailure as failure:
            if failure.metric in failures:  # it was not asked
                raise
            METRIC_FAILURES.labels(failure.metric[0]).inc()
            LOG.warning("evaluation %s: %s", work.evaluation.id, failure.detail, exc_info=True)
            failures[failure.metric] = failure
        else:
            return Scored(cells, failures)


def _but(wants: Wants, failed: Container[Version]) -> Wants:
    return lambda metric: metric not in failed and wants(metric)
