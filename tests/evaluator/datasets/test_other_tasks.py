"""Datasets of tasks whose answers are labels of tokens: checked, imported and perturbed like any other."""

import io
import json
from typing import Any

import pytest

from dynaboard.errors import Invalid
from dynaboard.task import Task
from services.evaluator.datasets.canonical import checked
from services.evaluator.datasets.importers import import_examples
from services.evaluator.datasets.importers.columns import read_columns
from services.evaluator.perturbations.robustness import ROBUSTNESS
from services.evaluator.perturbations.variants import variants

NER = Task(
    "ner",
    "Named entities",
    ("words", "note"),
    (),
    "entity_f1",
    kind="token-labels",
    of="words",
    token_labels=("O", "B-PER"),
    token_inputs=("words",),
)
GOOD = {"id": "1", "words": ["Ada", "wrote"], "note": "A letter to somebody.", "token_labels": ["B-PER", "O"]}


def test_an_example_of_tokens_is_canonical_as_it_is() -> None:
    assert checked(NER, GOOD) == GOOD


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"words": "Ada wrote"}, '"words" must be a list of at least one token'),
        ({"words": []}, '"words" must be a list of at least one token'),
        ({"words": ["Ada", ""]}, '"words" is empty'),
        ({"token_labels": ["O"]}, '"token_labels" must be a list of 2, one for each token'),
        ({"token_labels": ["O", "B-DOG"]}, "the label 'B-DOG' is none of O, B-PER"),
        ({"label": "O"}, "'label' is not a field of task ner"),
    ],
)
def test_an_example_that_does_not_fit_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        checked(NER, GOOD | change)
    assert sentence in refusal.value.detail


def test_a_files_own_columns_and_words_are_mapped() -> None:
    row = {"uid": 7, "tokens": ["Ada", "wrote"], "n": "A letter.", "ner": ["PERSON", "-"]}
    mapping = {
        "id": "uid",
        "inputs": {"words": "tokens", "note": "n"},
        "token_labels": "ner",
        "labels": {"PERSON": "B-PER", "-": "O"},
    }
    file = io.BytesIO(json.dumps(row).encode())
    (example,) = import_examples("jsonl", file, read_columns(mapping, NER), 2**20)
    assert example == {"id": "7", "words": ["Ada", "wrote"], "note": "A letter.", "token_labels": ["B-PER", "O"]}


def test_only_texts_that_are_not_protected_are_perturbed() -> None:
    def changed(task: Task) -> set[str]:
        return {field for variant in variants(task, GOOD, ROBUSTNESS.values(), 1) for field in variant.edits}

    assert changed(NER) == {"note"}
    closed = Task("ner", "", NER.inputs, (), "f", token_inputs=("words",), protected=(("robustness", "note"),))
    assert changed(closed) == set()
