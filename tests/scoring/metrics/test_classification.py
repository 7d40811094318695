"""Accuracy and F1 agree with scikit-learn, and with the definitions where scikit-learn has none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from dynaboard.nlp_tasks import TASKS
from services.scoring.metrics import METRICS
from services.scoring.metrics.answers import Answers

NLI = TASKS["nli"].labels
pairs = st.lists(st.tuples(st.sampled_from(NLI), st.sampled_from(NLI)), min_size=1, max_size=40)


def _answers(pairs: list[tuple[str, str]]) -> Answers:
    return Answers([predicted for predicted, _ in pairs], [[label] for _, label in pairs], NLI)


@given(pairs)
def test_accuracy_equals_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    predicted, labels = zip(*pairs, strict=True)
    assert METRICS["accuracy"].compute(_answers(pairs)) == pytest.approx(100 * accuracy_score(labels, predicted))


@given(pairs)
def test_macro_f1_equals_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    predicted, labels = zip(*pairs, strict=True)
    assert METRICS["macro_f1"].compute(_answers(pairs)) == pytest.approx(
        100 * f1_score(labels, predicted, average="macro")
    )


@given(pairs)
def test_f1_of_each_label_equals_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    predicted, labels = zip(*pairs, strict=True)
    for label in set(predicted) | set(labels):
        expected = 100 * f1_score(labels, predicted, labels=[label], average="macro")
        assert METRICS[f"f1_{label}"].compute(_answers(pairs)) == pytest.approx(expected)


def test_any_accepted_label_is_right() -> None:
    answers = Answers(["neutral", "contradictory", "entailed"], [["neutral", "contradictory"]] * 3, NLI)
    assert METRICS["accuracy"].compute(answers) == pytest.approx(200 / 3)
    # Right answers count for the predicted label; the wrong one is a miss of the first accepted.
    assert METRICS["f1_neutral"].compute(answers) == pytest.approx(100 * 2 / 3)
    assert METRICS["f1_contradictory"].compute(answers) == 100
    assert METRICS["f1_entailed"].compute(answers) == 0


@pytest.mark.parametrize("name", ["f1_entailed", "f1_hateful"])
def test_f1_of_a_label_that_never_occurs_does_not_apply(name: str) -> None:
    assert METRICS[name].compute(Answers(["neutral"], [["neutral"]], NLI)) is None


@pytest.mark.parametrize("name", ["accuracy", "macro_f1"])
def test_labels_say_nothing_about_free_text(name: str) -> None:
    assert METRICS[name].compute(Answers(["Paris"], [["Paris"]])) is None


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("labels", [NLI, ()])
def test_no_example_no_value(name: str, labels: tuple[str, ...]) -> None:
    assert METRICS[name].compute(Answers([], [], labels)) is None


def test_every_task_has_its_performance_metric() -> None:
    assert {task.performance_metric for task in TASKS.values()} <= set(METRICS)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="2 predictions, but 1"):
        Answers(["neutral", "neutral"], [["neutral"]], NLI)
