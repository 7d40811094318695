"""AUROC agrees with scikit-learn; calibration error with its definition."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import roc_auc_score

from dynaboard.nlp_tasks import TASKS
from services.scoring.metrics import METRICS
from services.scoring.metrics.answers import Answers

HATE, NLI = TASKS["hate-speech"].labels, TASKS["nli"].labels
shares = st.integers(0, 10).map(lambda tenth: tenth / 10)  # few values, so that there are ties


@given(st.lists(st.tuples(st.booleans(), shares), min_size=2, max_size=40))
def test_binary_auroc_equals_scikit_learn(pairs: list[tuple[bool, float]]) -> None:
    hateful, scores = (np.array(column) for column in zip(*pairs, strict=True))
    assume(0 < hateful.sum() < len(hateful))
    references = [[HATE[0] if yes else HATE[1]] for yes in hateful]
    answers = Answers(["hateful"] * len(pairs), references, HATE, np.column_stack([scores, 1 - scores]))
    assert METRICS["auroc"].compute(answers) == pytest.approx(100 * roc_auc_score(hateful, scores))


@given(st.data(), st.integers(3, 30))
def test_macro_auroc_equals_scikit_learn_one_against_the_rest(data: st.DataObject, count: int) -> None:
    labels = data.draw(arrays(np.int64, count, elements=st.integers(0, 2)))
    assume(len(set(labels)) == 3)
    scores = data.draw(arrays(np.float64, (count, 3), elements=st.integers(1, 9).map(float)))
    scores /= scores.sum(axis=1, keepdims=True)
    answers = Answers([NLI[0]] * count, [[NLI[label]] for label in labels], NLI, scores)
    expected = roc_auc_score(labels, scores, multi_class="ovr", average="macro")
    assert METRICS["auroc"].compute(answers) == pytest.approx(100 * expected)


def test_an_example_with_several_accepted_labels_is_left_out_for_these() -> None:
    scores = np.array([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7], [0.3, 0.6, 0.1]])
    answers = Answers(["entailed"] * 3, [["entailed"], ["neutral", "contradictory"], ["neutral"]], NLI, scores)
    # entailed: 0.8 over 0.1 and 0.3; neutral: 0.6 over 0.1; contradictory: nobody
    assert METRICS["auroc"].compute(answers) == 100


def test_one_class_alone_has_no_auroc() -> None:
    assert METRICS["auroc"].compute(Answers(["hateful"], [["hateful"]], HATE, np.array([[0.9, 0.1]]))) is None


@pytest.mark.parametrize("name", ["auroc", "calibration_error"])
def test_without_probabilities_there_is_nothing_to_say(name: str) -> None:
    assert METRICS[name].compute(Answers(["hateful", "hateful"], [["hateful"], ["not-hateful"]], HATE)) is None


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=40))
def test_calibration_error_equals_its_definition(pairs: list[tuple[bool, float]]) -> None:
    right, stated = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    expected = 0.0
    for number in range(15):
        low, high = number / 15, (number + 1) / 15
        inside = (np.ceil(stated * 15) == number + 1) | ((number == 0) & (stated == 0))
        if inside.any():
            assert (low - 1e-9 <= stated[inside]).all()
            assert (stated[inside] <= high + 1e-9).all()
            expected += inside.mean() * abs(right[inside].mean() - stated[inside].mean())
    references = [["hateful" if yes else "not-hateful"] for yes in right]
    answers = Answers(["hateful"] * len(pairs), references, HATE, np.column_stack([stated, 1 - stated]))
    assert METRICS["calibration_error"].compute(answers) == pytest.approx(100 * expected, abs=1e-9)


def test_calibration_by_hand_uses_the_probability_of_the_prediction() -> None:
    answers = Answers(["hateful", "not-hateful"], [["hateful"]] * 2, HATE, np.array([[0.9, 0.1], [0.3, 0.7]]))
    assert METRICS["calibration_error"].compute(answers) == pytest.approx(100 * (0.1 + 0.7) / 2)


def test_calibration_of_qa_is_against_exact_match() -> None:
    answers = Answers(["Paris", "Rome"], [["Paris"], ["London"]], confidences=np.array([0.75, 0.35]))
    assert METRICS["calibration_error"].compute(answers) == pytest.approx(100 * (0.25 + 0.35) / 2)


def test_confidences_that_are_no_probabilities_have_no_calibration() -> None:
    assert METRICS["calibration_error"].compute(Answers(["Paris"], [["Paris"]], confidences=np.array([12.5]))) is None


def test_a_smaller_calibration_error_is_better() -> None:
    assert not METRICS["calibration_error"].higher_is_better
