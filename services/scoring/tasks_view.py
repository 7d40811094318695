"""The tasks as the public sees them."""

from dataclasses import replace

from sqlalchemy.orm import Session

from dynaboard.identity import Caller
from dynaboard.task_bundle import TaskBundle
from dynaboard.task_registry import find_definition, task_names
from dynaboard.task_schemas import TaskView
from services.scoring.hidden_names import names_to_hide, settings_without
from services.scoring.query import METRIC_NAMES
from services.scoring.task_settings import InForce, settings_in_force
from services.scoring.weights import completed, metric_defaults


def task_views(db: Session, caller: Caller) -> list[TaskView]:
    """All tasks as they are defined, with the settings in force: those of the paper, then the others by name."""
    views = []
    for name in task_names(db):
        version, bundle = find_definition(db, name)
        in_force = settings_in_force(db, bundle.task())
        shown = settings_without(in_force.settings, names_to_hide(db, bundle, caller))
        views.append(_view(version, bundle, replace(in_force, settings=shown)))
    return views


def _view(version: int, bundle: TaskBundle, in_force: InForce) -> TaskView:
    task, settings = bundle.task(), in_force.settings
    given = {str(metric): weight for metric, weight in settings.weights.items()}
    weights = completed("metric", given, metric_defaults(METRIC_NAMES, settings.base_metric))
    return TaskView(
        name=task.name,
        title=task.title,
        description=bundle.description,
        warning=bundle.warning,
        inputs=list(task.inputs),
        token_inputs=list(task.token_inputs),
        labels=list(task.labels),
        answer_kind=task.kind,
        answer_field=task.answer_field,
        answer_of=task.of,
        token_labels=list(task.token_labels),
        performance_metric=task.performance_metric,
        metrics=list(task.metrics),
        suites=list(task.suites),
        default_weights=dict(zip(METRIC_NAMES, weights.tolist(), strict=True)),
        example=bundle.example,
        definition_version=version,
        settings_version=in_force.version or 0,
        settings=settings,
    )
