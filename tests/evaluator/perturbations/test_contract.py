"""What holds for every perturbation, whatever it does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations import PERTURBATIONS
from services.evaluator.perturbations.edits import apply_edits, as_json, check_edits, from_json
from services.evaluator.perturbations.protected import markup_spans
from services.evaluator.perturbations.variants import perturbed, variants

ROOT = Path(__file__).parents[3]

EXAMPLES = [
    (
        "nli",
        {"context": "James gave Sarah her keys, but he didn't say why.", "hypothesis": "James is not rude to Sarah."},
    ),
    ("nli", {"context": "Two women are walking in the rain.", "hypothesis": "They aren't at home; it is 12:30."}),
    ("sentiment", {"statement": "It is n't bad , and my brother 's wife <br /> loved it : www.example.com/a?b=c"}),
    ("sentiment", {"statement": "ABSOLUTELY WONDERFUL, SHE SAID!!! 10/10 &amp; more @james #her"}),
    ("hate-speech", {"text": "Maria told her sister’s husband that he can’t come."}),
    ("hate-speech", {"text": "ok"}),
    ("hate-speech", {"text": "🎉 … !!!"}),
    (
        "qa",
        {
            "context": "Mary Jackson met her father in Paris in 1995.",
            "question": "Whom did she meet?",
            "answers": ["her father"],
        },
    ),
    ("qa", {"context": "I am what I am.", "question": "What am I?", "answers": ["I", "what I am"]}),
]
CASES = [(TASKS[task], {"id": f"example-{number}", **fields}) for number, (task, fields) in enumerate(EXAMPLES)]

every_perturbation = pytest.mark.parametrize("perturbation", PERTURBATIONS.values(), ids=PERTURBATIONS.keys())


def made(perturbation, cases=CASES, seed=0):
    return [
        (task, example, variant) for task, example in cases for variant in variants(task, example, [perturbation], seed)
    ]


@every_perturbation
def test_it_is_listed_under_its_own_name(perturbation):
    assert PERTURBATIONS[perturbation.name] is perturbation
    assert perturbation.suite in ("robustness", "fairness")
    assert perturbation.version >= 1


@every_perturbation
def test_it_changes_some_example(perturbation):
    assert made(perturbation)


@every_perturbation
def test_its_edits_are_sorted_apart_and_inside_the_text(perturbation):
    for _, example, variant in made(perturbation):
        for field, edits in variant.edits.items():
            check_edits(example[field], edits)


@every_perturbation
def test_every_field_it_names_is_an_input_that_changes(perturbation):
    for task, example, variant in made(perturbation):
        assert variant.edits
        assert set(variant.edits) <= set(task.inputs)
        for field, edits in variant.edits.items():
            assert apply_edits(example[field], edits) != example[field]


@every_perturbation
def test_neither_the_order_nor_the_neighbours_of_an_example_matter(perturbation):
    alone = {case[1]["id"]: variants(*case, [perturbation], 0) for case in CASES}
    among_others = {
        task_example[1]["id"]: [
            variant
            for variant in variants(*task_example, list(PERTURBATIONS.values())[::-1], 0)
            if variant in alone[task_example[1]["id"]]
        ]
        for task_example in CASES[::-1]
    }
    assert among_others == alone


@every_perturbation
def test_a_seed_gives_one_result(perturbation):
    assert made(perturbation, seed=3) == made(perturbation, seed=3)


@every_perturbation
def test_markup_addresses_and_account_names_stay(perturbation):
    for _, example, variant in made(perturbation):
        for field, edits in variant.edits.items():
            after = apply_edits(example[field], edits)
            for start, end in markup_spans(example[field]):
                assert example[field][start:end] in after


@every_perturbation
def test_an_answer_that_was_in_its_context_still_is(perturbation):
    for task, example, variant in made(perturbation):
        if not task.labels:
            after = perturbed(task, example, variant.edits)
            assert after["answers"]
            assert all(answer in after["context"] for answer in after["answers"])


@every_perturbation
def test_edits_survive_being_stored(perturbation):
    for _, _, variant in made(perturbation):
        assert from_json(json.loads(json.dumps(as_json(variant.edits)))) == dict(variant.edits)


@every_perturbation
@settings(max_examples=60, deadline=None)
@given(text=st.text(min_size=1, max_size=80), seed=st.integers(0, 3))
def test_no_text_is_too_strange(perturbation, text, seed):
    example = {"id": "strange", "text": text}
    for _, _, variant in made(perturbation, [(TASKS["hate-speech"], example)], seed):
        assert apply_edits(text, variant.edits["text"]) != text


SCRIPT = """
import json, sys
from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations import PERTURBATIONS
from services.evaluator.perturbations.edits import as_json
from services.evaluator.perturbations.variants import variants
for task, example in json.load(sys.stdin):
    for variant in variants(TASKS[task], example, PERTURBATIONS.values(), 7):
        print(json.dumps([variant.kind, variant.group, as_json(variant.edits)]))
"""


def test_another_process_with_another_hash_seed_makes_the_same_variants():
    given_in = json.dumps([(task.name, example) for task, example in CASES])

    def run(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'shared'}"}
        command = [sys.executable, "-c", SCRIPT]
        return subprocess.run(
            command, input=given_in, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert run("1") == run("2") != ""
