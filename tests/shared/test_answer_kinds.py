"""Answers that are free texts or labels of tokens: what is taken, and how the rest is refused."""

from typing import Any

import pytest

from dynaboard.contract import read_answers, wire_examples
from dynaboard.errors import ModelFailure
from dynaboard.runtime.trial_examples import trial_batches, trial_examples
from dynaboard.task import Task

TEXT = Task("headlines", "Headlines", ("story",), (), "rouge_1", kind="text")
TOKENS = Task(
    "ner",
    "Named entities",
    ("words", "source"),
    (),
    "entity_f1",
    kind="token-labels",
    of="words",
    token_labels=("O", "B-PER"),
    token_inputs=("words",),
)
STORY = [{"id": "a", "story": "It rained."}]
WORDS = [{"id": "a", "words": ["Ada", "wrote"], "source": "letter", "token_labels": ["B-PER", "O"]}]


def answered(task: Task, examples: list[dict[str, Any]], **answer: Any) -> Any:
    (read,) = read_answers(task, examples, [{"id": "0", **answer}])
    return read


def refused(task: Task, examples: list[dict[str, Any]], **answer: Any) -> str:
    with pytest.raises(ModelFailure) as failure:
        answered(task, examples, **answer)
    return failure.value.detail


def test_any_text_is_an_answer_where_it_is_free() -> None:
    read = answered(TEXT, STORY, answer="Rain", conf=0.5)
    assert (read.id, read.value, read.conf) == ("a", "Rain", 0.5)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (3, "the answer must be a string, not 3"),
        (None, "the answer must be a string"),
        ("x" * 20_001, "the answer has 20,001 characters; at most 20,000 are taken"),
        ("\ud800", "half of a surrogate pair"),
    ],
)
def test_what_is_no_text_is_refused(answer: Any, sentence: str) -> None:
    assert sentence in refused(TEXT, STORY, answer=answer)


def test_labels_of_tokens_are_kept_with_blanks_between_them() -> None:
    assert answered(TOKENS, WORDS, token_labels=["B-PER", "O"]).value == "B-PER O"


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["O"], "token_labels must be a list of 2, one for each token, not a list of 1"),
        ("O O", "token_labels must be a list of 2"),
        (["O", "B-DOG"], "the label 'B-DOG' is not one of O, B-PER"),
        (["O", ["O"]], "the label a list of 1 is not one of"),
    ],
)
def test_labels_that_do_not_fit_the_tokens_are_refused(labels: Any, sentence: str) -> None:
    assert sentence in refused(TOKENS, WORDS, token_labels=labels)


def test_a_model_sees_tokens_but_not_their_labels() -> None:
    assert wire_examples(TOKENS, WORDS) == [{"id": "0", "words": ["Ada", "wrote"], "source": "letter"}]


@pytest.mark.parametrize("task", [TEXT, TOKENS], ids=["text", "token-labels"])
def test_trial_examples_have_the_tasks_inputs(task: Task) -> None:
    for example in trial_examples(task):
        assert example.keys() == {"id", *task.inputs}
        assert all(example["words"]) if task is TOKENS else isinstance(example["story"], str)
    assert len(trial_batches(task, 4)[1]) == 4
