"""Contraction: in both directions, as English has it."""

import pytest

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import apply_edits
from services.evaluator.perturbations.robustness import builtin
from services.evaluator.perturbations.robustness.options import TEXTFLINT, Options
from services.evaluator.perturbations.variants import variants


def contracted(text, options=Options()):  # noqa: B008 (frozen)
    found = variants(TASKS["sentiment"], {"id": "1", "statement": text}, [builtin(options)["Contraction"]], 0)
    return apply_edits(text, found[0].edits["statement"]) if found else text


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("It is not bad.", "It's not bad."),
        ("This was not bad.", "This wasn't bad."),
        ("Dogs do not bark.", "Dogs don't bark."),
        ("I will not go.", "I'll not go."),
        ("Nobody will not go.", "Nobody won't go."),
        ("We cannot go.", "We can't go."),
        ("Why is the sky blue?", "Why's the sky blue?"),
        ("I AM HERE NOW", "I'M HERE NOW"),
        ("I have been there.", "I've been there."),
    ],
)
def test_a_phrase_is_contracted(long, short):
    assert contracted(long) == short


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("It isn't bad.", "It is not bad."),
        ("They aren't here.", "They are not here."),
        ("I wouldn't eat there.", "I would not eat there."),
        ("I won't; you can't.", "I will not; you cannot."),
        ("We WON'T!", "We WILL NOT!"),
        ("the film is n't bad", "the film is not bad"),
        ("He’s late.", "He is late."),
        ("It's been fun.", "It has been fun."),
        ("I'd like it.", "I would like it."),
        ("I'd seen it.", "I had seen it."),
        ("You'd better go.", "You had better go."),
        ("Isn't it good?", "Is it not good?"),
        ("Why didn't she go?", "Why did she not go?"),
        ("You would've gone.", "You would have gone."),
    ],
)
def test_a_contraction_is_written_out(short, long):
    assert contracted(short) == long


@pytest.mark.parametrize(
    "text",
    [
        "Tell me what it is.",
        "He plays better than I am at chess.",
        "I have a dog.",
        "James's brother's car",
        'the album "We Are Like Songs"',
    ],
)
def test_where_nobody_would_nothing_is_contracted(text):
    assert contracted(text) == text


@pytest.mark.parametrize("text", ["It isn't bad", "They aren't here", "I wouldn't eat there", "You are not here"])
def test_a_negation_is_never_lost(text):
    assert {"not"} <= set(contracted(text).replace("n't", " not").split())


def test_the_apostrophe_is_that_of_the_text():
    assert contracted("It is Tom’s and it is good") == "It’s Tom’s and it’s good"


def test_textflint_mode_leaves_cannot_alone():
    assert contracted("We cannot go and he will stay", TEXTFLINT) == "We cannot go and he will stay"


def test_an_answer_is_not_contracted():
    example = {"id": "1", "context": "I am what I am today.", "question": "What?", "answers": ["what I am today"]}
    (variant,) = variants(TASKS["qa"], example, [builtin(Options())["Contraction"]], 0)
    assert apply_edits(example["context"], variant.edits["context"]) == "I'm what I am today."
