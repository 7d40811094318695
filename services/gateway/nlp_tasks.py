"""The tasks as the public sees them."""

from dynaboard.nlp_tasks import TASKS, Task
from dynaboard.schemas import TaskView

# The Dynascore's default weights (paper, section 5.3): half for performance, the rest in equal shares.
DEFAULT_WEIGHTS = {"performance": 0.5, "throughput": 0.125, "memory": 0.125, "fairness": 0.125, "robustness": 0.125}

EXAMPLES = {
    "nli": {"context": "Two children play football in a park.", "hypothesis": "Nobody is outdoors."},
    "qa": {
        "context": "The bridge was opened in 1987. It is 620 metres long.",
        "question": "When was the bridge opened?",
    },
    "sentiment": {"statement": "The film was a delight from the first minute to the last."},
    "hate-speech": {"text": "Our new neighbours brought us a cake."},
}


def task_views() -> list[TaskView]:
    """All tasks, in the order of the platform."""
    return [_view(task) for task in TASKS.values()]


def _view(task: Task) -> TaskView:
    return TaskView(
        name=task.name,
        title=task.title,
        inputs=list(task.inputs),
        labels=list(task.labels),
        answer_field=task.answer_field,
        performance_metric=task.performance_metric,
        default_weights=DEFAULT_WEIGHTS,
        memory_budget_gib=task.memory_budget_gib,
        example=EXAMPLES[task.name],
    )
