"""The handler contract: what goes over the wire, and every way an answer can be wrong."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.contract import Answer, BrokenContract, read_answers, wire_examples
from dynaboard.errors import ModelFailure
from dynaboard.nlp_tasks import TASKS

SENTIMENT, QA, NLI = TASKS["sentiment"], TASKS["qa"], TASKS["nli"]
EXAMPLES: list[dict[str, Any]] = [
    {"id": "sst-7e", "statement": "fine", "label": "positive", "tags": ["short"]},
    {"id": "sst-8n", "statement": "poor", "label": "negative"},
]
QUESTIONS: list[dict[str, Any]] = [{"id": "q1", "context": "It is red.", "question": "Colour?", "answers": ["red"]}]


def answers(**second: object) -> list[dict[str, Any]]:
    """A right answer to the first example, and one with these fields to the second."""
    return [{"id": "0", "label": "positive"}, {"id": "1", "label": "negative", **second}]


def complaint(given: object) -> str:
    with pytest.raises(ModelFailure) as failure:
        read_answers(SENTIMENT, EXAMPLES, given)
    return failure.value.detail


def test_a_model_sees_its_inputs_and_an_opaque_id() -> None:
    assert wire_examples(SENTIMENT, EXAMPLES) == [{"id": "0", "statement": "fine"}, {"id": "1", "statement": "poor"}]


def test_neither_dataset_ids_nor_labels_nor_tags_reach_a_model() -> None:
    sent = json.dumps(wire_examples(SENTIMENT, EXAMPLES, first=40))
    assert not any(secret in sent for secret in ("sst-", "positive", "label", "tags", "short"))


def test_answers_in_any_order_are_read_in_the_order_of_the_examples() -> None:
    assert read_answers(SENTIMENT, EXAMPLES, answers()[::-1]) == [
        Answer("sst-7e", "positive", None, None),
        Answer("sst-8n", "negative", None, None),
    ]


def test_positions_may_start_anywhere() -> None:
    given = [{"id": "41", "label": "negative"}, {"id": "40", "label": "positive"}]
    assert [answer.value for answer in read_answers(SENTIMENT, EXAMPLES, given, first=40)] == ["positive", "negative"]


def test_probabilities_are_read_for_every_label_and_clipped() -> None:
    given = answers(prob={"negative": 1.0004, "positive": 0.0})
    assert read_answers(SENTIMENT, EXAMPLES, given)[1].prob == {"positive": 0.0, "negative": 1.0, "neutral": 0.0}


def test_an_answer_to_a_question_is_a_span_with_a_confidence() -> None:
    given = [{"id": "0", "answer": "red", "conf": 1}]
    assert read_answers(QA, QUESTIONS, given) == [Answer("q1", "red", None, 1.0)]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (answers(label="bad"), "the label 'bad' is not one of positive, negative, neutral"),
        (answers(label=None), "the label None is not one of positive, negative, neutral"),
        (answers(label=["negative"]), "the label a list of 1 is not one of positive, negative, neutral"),
        (answers(label="x" * 10**6), f"the label '{'x' * 39}…' is not one of positive, negative, neutral"),
        (answers()[:1], "it has no answer; predict() returned 1 of 2"),
        ([*answers(), answers()[1]], "it is answered twice; answer every example once"),
        (answers(prob=[0.5, 0.5]), "prob must be a dict of label to probability, not a list of 2"),
        (answers(prob={}), "the probabilities sum to 0.0000, not to 1"),
        (answers(prob={"negative": 0.9}), "the probabilities sum to 0.9000, not to 1"),
        (answers(prob={"bad": 1.0}), "prob names 'bad', which is not one of positive, negative, neutral"),
        (answers(prob={"negative": 1.5}), "the probability of negative is 1.5, not a number from 0 to 1"),
        (answers(prob={"negative": -0.5}), "the probability of negative is -0.5, not a number from 0 to 1"),
        (answers(prob={"negative": float("nan")}), "the probability of negative is nan, not a number from 0 to 1"),
        (answers(prob={"negative": float("inf")}), "the probability of negative is inf, not a number from 0 to 1"),
        (answers(prob={"negative": True}), "the probability of negative is True, not a number from 0 to 1"),
        (answers(prob={"negative": "1"}), "the probability of negative is '1', not a number from 0 to 1"),
        (answers(why="x" * 10**6), "the extra field 'why' is too long; leave it out"),
    ],
)
def test_a_wrong_answer_is_told_with_the_examples_id_and_position(given: object, sentence: str) -> None:
    assert complaint(given) == f"Example sst-8n (number 2): {sentence}."


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"0": "positive"}, "predict() must return a list with one answer per example, not a dict of 1."),
        (None, "predict() must return a list with one answer per example, not None."),
        (["positive"], "The answer at place 1 must be a dict such as {'id': '0', …}, not 'positive'."),
        ([{"label": "positive"}], "The answer at place 1 has the id None, which no example has: return ids unchanged."),
        ([{"id": 0}], "The answer at place 1 has the id 0, which no example has: return ids unchanged."),
        ([{"id": "sst-7e"}], "The answer at place 1 has the id 'sst-7e', which no example has: return ids unchanged."),
        ([{"id": "7" * 10**6}], f"The answer at place 1 has the id '{'7' * 39}…', which no example has: "
         "return ids unchanged."),
    ],
)  # fmt: skip
def test_an_answer_that_belongs_to_no_example_is_told_by_its_place(given: object, sentence: str) -> None:
    assert complaint(given) == sentence


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"answer": "blue"}, "the answer 'blue' is not a span of the context"),
        ({"answer": ["red"]}, "the answer must be a string, not a list of 1"),
        ({}, "the answer must be a string, not None"),
        ({"answer": "red", "conf": float("nan")}, "conf is nan, not a number from 0 to 1"),
        ({"answer": "red", "conf": 7}, "conf is 7, not a number from 0 to 1"),
    ],
)
def test_a_wrong_answer_to_a_question_is_told(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ModelFailure) as failure:
        read_answers(QA, QUESTIONS, [{"id": "0", **given}])
    assert failure.value.detail == f"Example q1 (number 1): {sentence}."


def test_where_ids_are_hidden_the_position_and_the_complaint_can_be_told_alone() -> None:
    with pytest.raises(BrokenContract) as failure:
        read_answers(SENTIMENT, EXAMPLES, answers(label="bad"), first=0)
    assert (failure.value.position, failure.value.example_id) == (1, "sst-8n")
    assert "sst-8n" not in failure.value.complaint


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "label", "prob", "x"]), inner),
)


@given(ANYTHING | st.lists(st.fixed_dictionaries({"id": st.sampled_from(["0", "1"]), "label": ANYTHING})))
def test_whatever_a_model_sends_is_read_or_refused_in_one_short_sentence(given: object) -> None:
    sentence = ""
    try:
        read_answers(SENTIMENT, EXAMPLES, given)
    except ModelFailure as failure:
        sentence = failure.detail
    assert len(sentence) < 300
    assert "\n" not in sentence


@given(st.lists(st.sampled_from(NLI.labels), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_right_answers_are_read_whatever_their_order(labels: list[str], random: Any) -> None:
    examples = [{"id": f"e{n}", "context": "c", "hypothesis": "h"} for n in range(len(labels))]
    sent = [
        {"id": example["id"], "label": label}
        for example, label in zip(wire_examples(NLI, examples), labels, strict=True)
    ]
    random.shuffle(sent)
    assert [answer.value for answer in read_answers(NLI, examples, sent)] == labels
