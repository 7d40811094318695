"""The tasks as the public sees them."""

from sqlalchemy.orm import Session

from dynaboard.nlp_tasks import TASKS, Task
from dynaboard.task_schemas import TaskView
from services.scoring.query import METRIC_NAMES
from services.scoring.task_settings import InForce, settings_in_force
from services.scoring.weights import completed, metric_defaults

EXAMPLES = {
    "nli": {"context": "Two children play football in a park.", "hypothesis": "Nobody is outdoors."},
    "qa": {
        "context": "The bridge was opened in 1987. It is 620 metres long.",
        "question": "When was the bridge opened?",
    },
    "sentiment": {"statement": "The film was a delight from the first minute to the last."},
    "hate-speech": {"text": "Our new neighbours brought us a cake."},
}


def task_views(db: Session) -> list[TaskView]:
    """All tasks with the settings in force, in the order of the platform."""
    return [_view(task, settings_in_force(db, task)) for task in TASKS.values()]


def _view(task: Task, in_force: InForce) -> TaskView:
    settings = in_force.settings
    given = {str(metric): weight for metric, weight in settings.weights.items()}
    weights = completed("metric", given, metric_defaults(METRIC_NAMES, settings.base_metric))
    return TaskView(
        name=task.name,
        title=task.title,
        inputs=list(task.inputs),
        labels=list(task.labels),
        answer_field=task.answer_field,
        performance_metric=task.performance_metric,
        default_weights=dict(zip(METRIC_NAMES, weights.tolist(), strict=True)),
        memory_budget_gib=settings.memory_budget_gib or task.memory_budget_gib,
        example=EXAMPLES[task.name],
        settings_version=in_force.version or 0,
        settings=settings,
    )
