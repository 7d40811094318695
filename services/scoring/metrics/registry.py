"""Which metrics a task has: the built-in ones, and those that an operator has added to this installation.

A metric is a plug: one file in the folder DYNABOARD_METRICS_PATH, or an entry point of the group `dynaboard.metrics`,
that holds `METRIC` (services.scoring.metrics.metric). It is the operator's own code, run as such; nobody uploads one.
"""

from collections.abc import Iterator
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from dynaboard.errors import Invalid, PlatformFailure
from dynaboard.task import Task
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.builtin import METRICS
from services.scoring.metrics.classification import f1_of
from services.scoring.metrics.metric import Metric
from services.scoring.metrics.plug import guarded

GROUP = "dynaboard.metrics"
# What boards call their columns.
OF_BOARDS = {"performance", "throughput", "memory", "fairness", "robustness"}
# What `install` has added to this process.
_INSTALLED: dict[str, Metric[Answers]] = {}


def install(folder: Path | None) -> None:
    """Make known what the operator has added; called when the service starts. Raises PlatformFailure for a bad plug."""
    found = {metric.name: metric for metric in (*_of_folder(folder), *_of_packages())}
    if clash := sorted(found.keys() & (METRICS.keys() | OF_BOARDS)):
        raise PlatformFailure(f"The metric {clash[0]} is built in; give yours another name.")
    _INSTALLED.clear()
    _INSTALLED.update(found)


def metric_of(task: Task, name: str) -> Metric[Answers]:
    """A task's metric by its name. Raises Invalid for one that this installation does not have."""
    known = METRICS | _INSTALLED | {f"f1_{label}": f1_of(label) for label in task.labels}
    if name not in known:
        there = ", ".join(sorted(known))
        raise Invalid(f"There is no metric '{name[:64]}' here; there are {there}. An operator adds one as a file.")
    return known[name]


def performance_of(task: Task) -> Metric[Answers]:
    """The metric that ranks. Raises Invalid as `metric_of`."""
    return metric_of(task, task.performance_metric)


def metrics_of(task: Task) -> tuple[Metric[Answers], ...]:
    """All metrics of a task: name, version, unit, direction and function; the one that ranks comes first.

    Raises Invalid as `metric_of`.
    """
    return tuple(metric_of(task, name) for name in (task.performance_metric, *task.metrics))


def _of_folder(folder: Path | None) -> Iterator[Metric[Answers]]:
    for path in sorted(folder.glob("*.py")) if folder else ():
        spec = spec_from_file_location(f"dynaboard_metric_{path.stem}", path)
        assert spec is not None  # it is a .py file
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        yield _checked(getattr(module, "METRIC", None), str(path))


def _of_packages() -> Iterator[Metric[Answers]]:
    for point in entry_points(group=GROUP):
        yield _checked(point.load(), f"The entry point {point.name}")


def _checked(found: object, where: str) -> Metric[Answers]:
    if not isinstance(found, Metric):
        raise PlatformFailure(f"{where} holds no METRIC; see docs/tasks.md.")
    return guarded(found)
