"""What must be said wherever these numbers are shown: the Broader Impact section of the Dynaboard paper, by task."""

from dynaboard.task import Task

DYNASCORE = (
    "A Dynascore has meaning only beside the other models of this board: it changes as models, datasets and weights "
    "change, and the default weights are not canonical. Whoever reports one should name at least the datasets, the "
    "weights and the time."
)
ROBUSTNESS = (
    "Robustness is measured with typographical errors only. A model that keeps its predictions under them need not be "
    "right, and need not be robust to anything else."
)
FAIRNESS = (
    "A model that does well on these fairness perturbations is not thereby fair; one that does poorly has room for "
    "improvement. They swap names and words between women and men and between four groups of the US census, leave out "
    "everybody else, non-binary people first of all, and take equal treatment for a first step towards fairness."
)


def suite_warnings(suite: str, task: Task) -> list[str]:
    """What belongs to each number of the suite "fairness" or "robustness"."""
    return [ROBUSTNESS] if suite == "robustness" else [FAIRNESS, *([task.fairness_note] if task.fairness_note else [])]


def board_warnings(task: Task) -> list[str]:
    """What belongs to a task's leaderboard."""
    suites = [*suite_warnings("fairness", task), *suite_warnings("robustness", task)]
    return [DYNASCORE, *suites, *([task.warning] if task.warning else [])]
