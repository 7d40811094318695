"""Keyboard, Ocr, SpellingError and Typos: how many words change, which, and into what."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import apply_edits
from services.evaluator.perturbations.robustness import builtin
from services.evaluator.perturbations.robustness.keyboard import NEIGHBOURS
from services.evaluator.perturbations.robustness.ocr import LOOK_ALIKES
from services.evaluator.perturbations.robustness.options import TEXTFLINT, Options
from services.evaluator.perturbations.robustness.tokens import tokens
from services.evaluator.perturbations.robustness.typos import slip
from services.evaluator.perturbations.robustness.words import english_words
from services.evaluator.perturbations.variants import variants

SHARES = {"Keyboard": 0.2, "Ocr": 0.2, "SpellingError": 0.3, "Typos": 0.3}
LADDER = "A young man wearing blue shirts stands outside, cleaning another large window."
SENTIMENT = TASKS["sentiment"]

each_kind = pytest.mark.parametrize("kind", SHARES)


def edits_of(kind, text, options=Options(), seed=0):  # noqa: B008 (frozen)
    found = variants(SENTIMENT, {"id": "1", "statement": text}, [builtin(options)[kind]], seed)
    return found[0].edits["statement"] if found else ()


def changed_words(kind, text, options=Options(), seeds=60):  # noqa: B008 (frozen)
    return {
        (text[edit.start : edit.end], edit.text)
        for seed in range(seeds)
        for edit in edits_of(kind, text, options, seed)
    }


@each_kind
def test_a_share_of_all_tokens_changes(kind):
    assert len(edits_of(kind, LADDER)) == int(SHARES[kind] * 14)


@each_kind
def test_at_least_one_word_changes(kind):
    assert len(edits_of(kind, "A window")) == 1


@each_kind
def test_at_most_ten_words_change(kind):
    assert len(edits_of(kind, " ".join([LADDER] * 20))) == 10


@each_kind
def test_stop_words_never_change(kind):
    assert edits_of(kind, "She and I are in the") == ()


@each_kind
def test_blanks_and_marks_stay_where_they_are(kind):
    text = "  a  window ,\tbroken\n( window )!"
    after = apply_edits(text, edits_of(kind, text))
    assert [piece for piece in tokens(after)[0] if piece.isspace()][:3] == ["  ", "  ", " "]
    assert after.endswith(" )!")


@each_kind
def test_negations_stay(kind):
    pairs = changed_words(kind, "It was not good, never ever, and nobody didn't hate nothing")
    assert {old for old, _ in pairs}.isdisjoint({"not", "never", "nobody", "nothing", "didn"})


@each_kind
def test_numbers_and_acronyms_stay(kind):
    pairs = changed_words(kind, "The NFL had 1995 games between 12:30 and the 2nd window")
    assert {old for old, _ in pairs} <= {"had", "games", "between", "window"}


@each_kind
def test_in_a_text_in_capitals_no_word_is_an_acronym(kind):
    assert edits_of(kind, "GOOD FILM")


@each_kind
def test_no_word_becomes_another_word(kind):
    text = "bad fun was there here form quite black leader dying best west some more than"
    words = english_words()
    assert all(
        new.lower() not in words or new.lower() == old.lower() for old, new in changed_words(kind, text, seeds=200)
    )


@each_kind
def test_a_guy_is_not_insulted(kind):
    assert {new.lower() for _, new in changed_words(kind, "guy spin homes", seeds=400)}.isdisjoint(
        {"goy", "spic", "homo"}
    )


@each_kind
def test_textflint_mode_lets_words_become_other_words(kind):
    text = "bad fun form quite their most black dying best west some more than hot pet car"
    assert any(new.lower() in english_words() for _, new in changed_words(kind, text, TEXTFLINT, seeds=300))


def test_textflint_mode_changes_numbers_and_short_words():
    assert {old for old, _ in changed_words("Keyboard", "ok so 42", TEXTFLINT)} == {"ok", "so", "42"}


@each_kind
def test_only_the_context_of_a_question_changes_and_answers_stay(kind):
    example = {
        "id": "q",
        "context": "The young manager opened another large window yesterday; the window was broken.",
        "question": "What was opened by the manager?",
        "answers": ["another large window", "window"],
    }
    for seed in range(30):
        for variant in variants(TASKS["qa"], example, [builtin(Options())[kind]], seed):
            assert set(variant.edits) == {"context"}
            assert "window" not in {example["context"][edit.start : edit.end] for edit in variant.edits["context"]}
            assert "another large window" in apply_edits(example["context"], variant.edits["context"])


def test_neighbours_lie_next_to_each_other_on_the_keyboard():
    assert set(NEIGHBOURS["g"]) == set("rRtTyYfFhHvVbBnNG")
    assert set(NEIGHBOURS["q"]) == set("1!2@wWaAsSQ")
    assert len(NEIGHBOURS) == 62


def test_look_alikes_hold_both_ways():
    assert all(one in LOOK_ALIKES[other] for one, others in LOOK_ALIKES.items() for other in others)
    assert set(LOOK_ALIKES["0"]) == set("89oOD")


@given(st.text("abcXYZ09", min_size=3, max_size=12), st.integers())
def test_a_slip_keeps_the_first_and_last_letter(word, seed):
    slipped = slip(word, Random(seed))
    assert slipped is not None
    assert (slipped[0], slipped[-1]) == (word[0], word[-1])
    assert abs(len(slipped) - len(word)) <= 1


def test_known_misspellings_come_first():
    assert {new for _, new in changed_words("SpellingError", "receive")} == {"recieve"}


def test_a_misspelling_keeps_the_case():
    assert {new for _, new in changed_words("SpellingError", "Receive")} == {"Recieve"}
    assert {new for _, new in changed_words("SpellingError", "RECEIVE")} == {"RECIEVE"}


def test_names_are_not_misspelt():
    assert edits_of("SpellingError", "James Palestrina") == ()
