"""Metrics: numbers about a model's answers. Those of a task are found in `registry`."""

from services.scoring.metrics.builtin import METRICS
from services.scoring.metrics.registry import install, metric_of, metrics_of, performance_of

__all__ = ["METRICS", "install", "metric_of", "metrics_of", "performance_of"]
