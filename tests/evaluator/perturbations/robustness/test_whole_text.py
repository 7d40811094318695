"""Punctuation and WordCase: what happens to a text as a whole."""

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import apply_edits
from services.evaluator.perturbations.robustness import builtin
from services.evaluator.perturbations.robustness.options import TEXTFLINT, Options
from services.evaluator.perturbations.variants import variants


def forms(kind, text, options=Options(), seeds=300):  # noqa: B008 (frozen)
    example = {"id": "1", "statement": text}
    return {
        apply_edits(text, variant.edits["statement"])
        for seed in range(seeds)
        for variant in variants(TASKS["sentiment"], example, [builtin(options)[kind]], seed)
    }


def test_punctuation_ends_and_wraps_a_text_in_22_ways():
    found = forms("Punctuation", "I loved it!!!")
    assert len(found) == 22
    assert {"{I loved it...}", '"I loved it."', "【I loved it;】"} <= found


def test_punctuation_makes_no_smiley():
    assert "(I loved it;)" not in forms("Punctuation", "I loved it")
    assert "(I loved it;)" in forms("Punctuation", "I loved it", TEXTFLINT)


def test_punctuation_keeps_smileys_and_closing_quotes():
    assert all(":(" in found for found in forms("Punctuation", "I hated it :("))
    assert all('"yes."' in found for found in forms("Punctuation", 'She said "yes."'))


def test_punctuation_keeps_a_text_of_marks_alone():
    assert all("?!" in found for found in forms("Punctuation", "?!"))


def test_word_case_is_upper():
    assert forms("WordCase", "I loved <br> it", seeds=1) == {"I LOVED <br> IT"}


def test_a_text_without_case_has_no_variant():
    assert forms("WordCase", "OK 1995 !!", seeds=1) == set()


def test_word_case_leaves_questions_alone():
    example = {"id": "1", "context": "abc", "question": "what", "answers": ["abc"]}
    assert variants(TASKS["qa"], example, [builtin(Options())["WordCase"]], 0) == []
