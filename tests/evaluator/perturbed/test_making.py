"""The variants of a dataset: the same bytes in any process, and counts that say what need not be run."""

from itertools import chain
from typing import Any

import pytest

from dynaboard.edits import Edit
from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import TASKS
from dynaboard.perturbed_copy import StoredVariant, perturbed_inputs
from services.evaluator.perturbations.fairness.options import FairnessOptions
from services.evaluator.perturbed.making import Tally, Workers, make_parts
from services.evaluator.perturbed.recipe import Recipe

SENTIMENT = TASKS["sentiment"]
ROBUSTNESS = Recipe("robustness", seed=1)
FAIRNESS = Recipe("fairness", seed=1)


def reviews(count: int) -> list[dict[str, Any]]:
    text = "It isn't a bad film, and Mary told her brother so in 1995."
    return [
        {"id": f"r{number}", "statement": f"{text} Number {number}.", "label": "positive"} for number in range(count)
    ]


def made(examples: list[dict[str, Any]], recipe: Recipe = ROBUSTNESS, processes: int = 1) -> tuple[list[bytes], Tally]:
    parts = list(make_parts(SENTIMENT, recipe, examples, Workers(processes), lambda: False))
    tally = Tally()
    for _, counts in parts:
        tally.add(counts)
    return list(chain.from_iterable(lines for lines, _ in parts)), tally


@pytest.mark.parametrize("recipe", [ROBUSTNESS, FAIRNESS], ids=["robustness", "fairness"])
def test_one_process_and_several_make_the_same_bytes_in_the_same_order(recipe: Recipe) -> None:
    examples = reviews(700)
    lines, tally = made(examples, recipe)
    assert made(examples, recipe, processes=2) == (lines, tally)
    assert tally.examples == 700
    assert tally.variants == len(lines) > 700


def test_the_order_of_the_examples_does_not_matter_to_any_of_them() -> None:
    examples = reviews(40)
    assert sorted(made(examples)[0]) == sorted(made(examples[::-1])[0])


def test_another_seed_makes_other_variants_and_is_another_recipe() -> None:
    other = Recipe("robustness", seed=2)
    assert made(reviews(5), other)[0] != made(reviews(5))[0]
    assert other.digest != ROBUSTNESS.digest
    assert Recipe("robustness", seed=1).digest == ROBUSTNESS.digest


def test_a_recipe_names_everything_that_decides_the_variants() -> None:
    described = ROBUSTNESS.described()
    assert described["perturbations"].keys() == {
        "Contraction", "Keyboard", "Ocr", "Punctuation", "SpellingError", "Typos", "WordCase",
    }  # fmt: skip
    assert {len(digest) for digest in described["lexicon"].values()} == {64}
    assert (described["seed"], described["engine"]) == (1, "builtin")
    assert FAIRNESS.described()["entity_policy"] == "skip_example"


def test_the_policy_for_familiar_entities_makes_another_recipe_of_fairness() -> None:
    spans = Recipe("fairness", seed=1, fairness=FairnessOptions(entity_policy="skip_span"))
    assert spans.digest != FAIRNESS.digest


def test_the_engine_textflint_makes_another_recipe_of_robustness_but_not_of_fairness() -> None:
    assert Recipe("robustness", seed=1, engine="textflint").digest != ROBUSTNESS.digest
    assert Recipe("fairness", seed=1, engine="textflint").digest == FAIRNESS.digest


def test_the_engine_textflint_says_when_it_has_no_interpreter() -> None:
    with pytest.raises(PlatformFailure, match="DYNABOARD_TEXTFLINT_PYTHON"):
        made(reviews(1), Recipe("robustness", seed=1, engine="textflint"))


def test_texts_that_stay_as_they_were_are_counted_not_made() -> None:
    upper = {"id": "upper", "statement": "FINE FILM", "label": "positive"}
    lines, tally = made([upper, *reviews(1)])
    assert (tally.unchanged["WordCase"], tally.kinds["WordCase"]) == (1, 1)
    described = tally.described()
    assert described["variants"] + described["spared"] == 2 * 7
    assert described["spared_share"] == pytest.approx(described["spared"] / (2 * 7))
    assert len(lines) == described["variants"]


def test_a_perturbation_that_changes_nothing_anywhere_spares_nothing() -> None:
    _, tally = made([{"id": "upper", "statement": "FINE FILM", "label": "positive"}])
    assert tally.described()["variants"] + tally.described()["spared"] == tally.described()["variants"] > 0


def test_making_can_be_stopped() -> None:
    assert list(make_parts(SENTIMENT, ROBUSTNESS, reviews(10), Workers(), lambda: True)) == []


def test_variants_become_inputs_under_their_own_ids_without_what_is_right() -> None:
    examples = reviews(3)
    variants = [
        StoredVariant("r0~0", "r0", "Keyboard", "", {"statement": (Edit(0, 2, "At"),)}),
        StoredVariant("r2~0", "r2", "Ocr", "", {"statement": (Edit(0, 2, "lt"),)}),
    ]
    assert list(perturbed_inputs(examples, variants)) == [
        {"id": "r0~0", "statement": "At" + examples[0]["statement"][2:]},
        {"id": "r2~0", "statement": "lt" + examples[2]["statement"][2:]},
    ]


def test_a_variant_of_no_example_is_told() -> None:
    lost = StoredVariant("x~0", "x", "Keyboard", "", {})
    with pytest.raises(PlatformFailure, match="'x', which is not in its place"):
        list(perturbed_inputs(reviews(2), [lost]))
