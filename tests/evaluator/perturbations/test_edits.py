"""Edits: applying them, and finding one's way through them in both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import (
    Edit,
    apply_edits,
    check_edits,
    inverse,
    map_span,
    to_original,
)
from services.evaluator.perturbations.variants import perturbed

JAMES = "Mr. James Brown met James."
TO_JAMAL = (Edit(4, 9, "Jamal"), Edit(20, 25, "Jamal"))


@st.composite
def texts_and_edits(draw):
    text = draw(st.text("ab .", max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, tuple(Edit(start, end, draw(st.text("xy", max_size=4))) for start, end in pairs)


def test_edits_speak_of_the_original_text():
    assert apply_edits(JAMES, TO_JAMAL) == "Mr. Jamal Brown met Jamal."


def test_an_insertion_may_touch_a_replacement():
    edits = (Edit(0, 0, "<"), Edit(0, 1, "N"), Edit(2, 2, ">"))
    check_edits("no", edits)
    assert apply_edits("no", edits) == "<No>"


@pytest.mark.parametrize(
    "edits",
    [
        (Edit(2, 4, "x"), Edit(3, 5, "y")),
        (Edit(2, 4, "x"), Edit(0, 1, "y")),
        (Edit(4, 2, "x"),),
        (Edit(0, 99, "x"),),
        (Edit(1, 1, "x"), Edit(1, 1, "y")),
    ],
)
def test_overlapping_or_stray_edits_are_refused(edits):
    with pytest.raises(ValueError, match="edit"):
        check_edits("abcdef", edits)


@given(texts_and_edits())
def test_the_inverse_gives_the_original_back(made):
    text, edits = made
    assert apply_edits(apply_edits(text, edits), inverse(text, edits)) == text


@given(texts_and_edits(), st.integers(0, 30), st.integers(0, 30))
def test_a_span_that_no_edit_touches_keeps_its_text(made, one, other):
    text, edits = made
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    if start < end and not any(edit.start < end and edit.end > start for edit in edits):
        first, last = map_span(edits, start, end)
        assert apply_edits(text, edits)[first:last] == text[start:end]


def test_a_span_follows_a_longer_replacement_inside_it():
    edits = (Edit(4, 9, "Alexander"),)
    start, end = map_span(edits, 4, 15)
    assert apply_edits(JAMES, edits)[start:end] == "Alexander Brown"


def test_an_edit_half_inside_a_span_is_taken_whole():
    assert map_span((Edit(2, 6, "xx"),), 4, 8) == (2, 6)


def test_brackets_around_a_text_stay_outside_its_spans():
    edits = (Edit(0, 0, "{"), Edit(2, 2, "}"))
    assert map_span(edits, 0, 2) == (1, 3)


def test_a_perturbed_answer_is_called_by_its_original_name():
    assert to_original(JAMES, TO_JAMAL, "Jamal Brown") == ["James Brown"]


def test_an_answer_with_two_originals_has_two_names():
    edits = (Edit(0, 3, "Ann"),)
    assert to_original("Eve and Ann", edits, "Ann") == ["Eve", "Ann"]


def test_an_answer_that_is_not_in_the_text_stands_for_itself():
    assert to_original(JAMES, TO_JAMAL, "nobody") == ["nobody"]


def test_accepted_answers_are_mapped_along():
    example = {"id": "1", "context": JAMES, "question": "Who?", "answers": ["James Brown", "James"]}
    assert perturbed(TASKS["qa"], example, {"context": TO_JAMAL})["answers"] == ["Jamal Brown", "Jamal"]
