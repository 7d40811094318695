"""The tasks, as one may read them without a key."""

import math

from dynaboard.nlp_tasks import TASKS
from services.gateway.nlp_tasks import DEFAULT_WEIGHTS, task_views
from services.scoring.query import METRIC_NAMES
from services.scoring.weights import metric_defaults


def test_every_task_is_there() -> None:
    assert [task.name for task in task_views()] == list(TASKS)


def test_an_example_has_the_fields_that_a_model_sees() -> None:
    for task in task_views():
        assert list(task.example) == task.inputs


def test_the_default_weights_are_those_that_rank() -> None:
    ranked = metric_defaults(METRIC_NAMES, "performance")
    total = math.fsum(ranked.values())
    assert {metric: weight / total for metric, weight in ranked.items()} == DEFAULT_WEIGHTS
