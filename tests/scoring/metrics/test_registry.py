"""Metrics of a task: the built-in ones, and files that an operator has put into a folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dynaboard.errors import Invalid, PlatformFailure
from dynaboard.nlp_tasks import TASKS
from dynaboard.task import Task
from services.scoring.metrics import METRICS, install, metric_of, metrics_of, performance_of
from services.scoring.metrics.answers import Answers

PLUG = """
from services.scoring.metrics.metric import mean_metric

METRIC = mean_metric("{name}", 3, lambda prediction, accepted: float(prediction in accepted), higher_is_better=False)
"""
OWN = Task("own", "Own", ("text",), (), "shouted", kind="text", metrics=("squad_em",))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder of metrics; afterwards none is installed."""
    yield tmp_path
    install(None)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_the_metrics_of_the_papers_tasks_are_built_in(task: Task) -> None:
    found = metrics_of(task)
    assert found[0] == performance_of(task)
    assert [metric.name for metric in found] == [task.performance_metric, *task.metrics]
    assert {metric.name for metric in found} <= METRICS.keys()


def test_a_file_in_the_folder_is_a_metric(folder: Path) -> None:
    (folder / "shouted.py").write_text(PLUG.format(name="shouted"))
    install(folder)
    metric = performance_of(OWN)
    assert (metric.name, metric.version, metric.unit, metric.higher_is_better) == ("shouted", 3, "%", False)
    assert metric.compute(Answers(["a", "b"], [("a",), ("c", "d")])) == 50
    assert [each.name for each in metrics_of(OWN)] == ["shouted", "squad_em"]


def test_what_is_no_longer_in_the_folder_is_no_metric_any_more(folder: Path) -> None:
    (folder / "shouted.py").write_text(PLUG.format(name="shouted"))
    install(folder)
    install(None)
    with pytest.raises(Invalid, match="There is no metric 'shouted' here"):
        metric_of(OWN, "shouted")


@pytest.mark.parametrize("name", ["accuracy", "robustness"])
def test_a_name_that_is_taken_is_refused_at_the_start(folder: Path, name: str) -> None:
    (folder / "mine.py").write_text(PLUG.format(name=name))
    with pytest.raises(PlatformFailure, match=f"The metric {name} is built in; give yours another name."):
        install(folder)


def test_a_file_without_a_metric_is_refused_at_the_start(folder: Path) -> None:
    (folder / "mine.py").write_text("METRICS = []\n")
    with pytest.raises(PlatformFailure, match=r"mine\.py holds no METRIC"):
        install(folder)


def test_each_label_of_a_task_has_an_f1() -> None:
    task = Task("irony", "Irony", ("post",), ("ironic", "plain"), "accuracy")
    assert (
        metric_of(task, "f1_ironic").compute(Answers(["ironic", "plain"], [("ironic",), ("plain",)], task.labels))
        == 100
    )
