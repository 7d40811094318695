"""A task's file: what it becomes, and how each mistake is told with its place."""

import json
from dataclasses import asdict
from typing import Any

import pytest
import yaml

from dynaboard.errors import Invalid
from dynaboard.nlp_tasks import SHIPPED, TASKS
from dynaboard.task import task_from
from dynaboard.task_bundle import read_bundle, write_bundle
from dynaboard.task_schemas import TaskSettings

NER: dict[str, Any] = {
    "name": "ner",
    "title": "Named entities",
    "inputs": [{"name": "words", "type": "tokens"}, {"name": "source"}],
    "answer": {"kind": "token-labels", "labels": ["O", "B-PER", "I-PER"], "of": "words"},
    "performance_metric": "entity_f1",
    "example": {"words": ["Ada", "wrote"], "source": "letter"},
}


def refused(**change: Any) -> str:
    with pytest.raises(Invalid) as refusal:
        read_bundle(yaml.safe_dump(NER | change))
    return refusal.value.detail


def test_the_four_tasks_of_the_paper_are_such_files() -> None:
    assert list(SHIPPED) == ["nli", "qa", "sentiment", "hate-speech"]
    assert [task.performance_metric for task in TASKS.values()] == ["accuracy", "squad_f1", "accuracy", "accuracy"]
    assert (TASKS["qa"].answer_field, TASKS["qa"].reference_field, TASKS["qa"].of) == ("answer", "answers", "context")


def test_robustness_changes_the_text_of_a_question_alone() -> None:
    assert TASKS["qa"].perturbed("robustness") == ("context",)
    assert TASKS["qa"].perturbed("fairness") == ("context", "question")


def test_a_task_of_labelled_tokens() -> None:
    task = read_bundle(yaml.safe_dump(NER)).task()
    assert (task.kind, task.token_inputs, task.token_labels, task.labels) == (
        "token-labels",
        ("words",),
        ("O", "B-PER", "I-PER"),
        (),
    )
    assert task.perturbed("robustness") == ("source",)
    assert task.accepted({"token_labels": ["B-PER", "O"]}) == ("B-PER O",)


def test_what_is_protected_stays_as_it_is_and_what_is_null_is_not_run() -> None:
    suites = {"fairness": None, "robustness": {"protected": ["source"]}}
    task = read_bundle(yaml.safe_dump(NER | {"perturbations": suites})).task()
    assert (task.suites, task.perturbed("robustness")) == (("robustness",), ())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_definition_written_and_read_again_is_the_same(name: str) -> None:
    assert read_bundle(write_bundle(SHIPPED[name])) == SHIPPED[name]


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_task_kept_as_json_is_the_same_task(task: Any) -> None:
    assert task_from(json.loads(json.dumps(asdict(task)))) == task


def test_weights_beside_the_datasets_are_settings() -> None:
    datasets = [{"name": "a", "weight": 3}, {"name": "b"}]
    bundle = read_bundle(yaml.safe_dump(NER | {"datasets": datasets}))
    assert bundle.settings_of(TaskSettings(dataset_weights={"c": 1})).dataset_weights == {"a": 3, "c": 1}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"inputs": [{"name": "words", "type": "image"}]}, "inputs[0].type: Input should be 'text' or 'tokens'."),
        ({"inputs": [{"name": "label"}]}, "inputs: label is a name that answers or datasets use; choose another."),
        ({"answer": {"kind": "guess"}}, "answer.kind: Input should be 'label', 'span', 'text' or 'token-labels'."),
        ({"answer": {"kind": "label", "labels": ["a"]}}, "answer.labels: an answer of kind label needs at least two"),
        ({"answer": {"kind": "span", "of": "words"}}, "answer.of: name the input of type text"),
        ({"answer": {"kind": "text", "of": "words"}}, "answer.of: an answer of kind text is not of one input"),
        ({"answer": {"kind": "text", "labels": ["a", "b"]}}, "answer.labels: an answer of kind text has no labels"),
        ({"metrics": ["entity_f1"]}, "metrics: name each once, and not the performance metric again."),
        ({"example": {"words": ["Ada"]}}, "example: it must have exactly the inputs words, source."),
        ({"example": {"words": "Ada", "source": "x"}}, "example.words: it must be a list of tokens."),
        ({"perturbations": {"robustness": {"protected": ["x"]}}}, "perturbations.robustness.protected: x is no input"),
        ({"settings": {"weights": {"speed": 1}}}, "settings.weights.speed.[key]: Input should be 'performance'"),
        ({"datasets": [{"name": "a"}, {"name": "a"}]}, "datasets: a name occurs twice."),
        ({"datasets": [{"name": "a", "role": "secret"}]}, "datasets[0].role: Input should be 'scoring', 'standard'"),
        ({"colour": "red"}, "colour: Extra inputs are not permitted."),
    ],
)
def test_a_mistake_is_told_with_its_place(change: dict[str, Any], sentence: str) -> None:
    assert sentence in refused(**change)


def test_every_mistake_is_told_at_once() -> None:
    assert len(refused(title="", colour="red", performance_metric="F 1").splitlines()) == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a: [", "The file is not YAML, line 1"),
        ("- a", "must hold one mapping"),
        ("x" * 300_000, "longer than 256 KiB"),
    ],
)
def test_a_file_that_is_no_definition_is_told(text: str, sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        read_bundle(text)
    assert sentence in refusal.value.detail
