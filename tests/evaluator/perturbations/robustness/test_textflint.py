"""The engine `textflint`, and how near the builtin engine is to it. Needs TextFlint 0.1.0 (docs say how)."""

import os
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.errors import PlatformFailure
from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import apply_edits
from services.evaluator.perturbations.robustness import builtin
from services.evaluator.perturbations.robustness.keyboard import NEIGHBOURS
from services.evaluator.perturbations.robustness.ocr import LOOK_ALIKES
from services.evaluator.perturbations.robustness.options import TEXTFLINT
from services.evaluator.perturbations.robustness.textflint import TextFlint, align
from services.evaluator.perturbations.robustness.tokens import tokens
from services.evaluator.perturbations.variants import variants

PYTHON = os.environ.get("DYNABOARD_TEXTFLINT_PYTHON", "")
SENTIMENT = TASKS["sentiment"]
SENTENCES = """
A man in a blue shirt is standing on a ladder cleaning a window.
Two women are walking along the river while their dogs run ahead.
The waiter was not friendly and the soup arrived cold after forty minutes.
She has written three novels about the people of her village.
They aren't coming because the train is late again.
It isn't bad but nobody would call this film a classic.
The museum opened in 1998 and closed ten years later.
We can't believe how good the new album sounds on old speakers.
My brother said that he will visit Paris with his friends next summer.
The company lost money during the first half of the year.
There is a small bakery behind the station that sells warm bread.
I am sure you are right, and I do not want to argue.
Children play football in the park every Saturday morning.
The judge thanked the lawyers for their patience.
Nothing in this book is new, yet every page surprises the reader.
A group of tourists takes photographs of the old bridge.
The actor, who is famous in Spain, never learned English.
Heavy rain flooded several streets near the harbour.
What is the best way to cook rice without burning it?
The director made a long, slow and very beautiful picture.
""".strip().splitlines()
EXAMPLES = [
    {"id": f"{number}-{turn}", "statement": text} for turn in range(30) for number, text in enumerate(SENTENCES)
]
SUBSTITUTIONS = ("Keyboard", "Ocr", "SpellingError", "Typos")


@given(st.text("ab .,", max_size=20), st.text("ab .,", max_size=20))
def test_aligned_edits_make_the_other_text(text, changed):
    assert apply_edits(text, align(text, changed)) == changed


def test_alignment_finds_the_words_that_changed():
    assert align("a blue shirt , isn't it", "a bleu shirt, isn't it") == ((2, 6, "bleu"), (12, 13, ""))


def test_an_environment_that_textflint_cannot_run_in_is_refused(tmp_path):
    with pytest.raises(PlatformFailure, match="Rename the environment"):
        TextFlint(tmp_path / "textflint" / "bin" / "python", tmp_path)


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    if not PYTHON:
        pytest.skip("DYNABOARD_TEXTFLINT_PYTHON names no interpreter with TextFlint")
    with TextFlint(Path(PYTHON), tmp_path_factory.mktemp("resources")) as running:
        yield running


@pytest.fixture(scope="module")
def pairs(engine):
    """For each kind and each engine the pairs (original, perturbed text)."""
    ours = builtin(TEXTFLINT)
    made = {"theirs": {}, "ours": {}}
    for example in EXAMPLES:
        found = engine.variants(SENTIMENT, example, 0), variants(SENTIMENT, example, ours.values(), 0)
        for name, each in zip(made, found, strict=True):
            for variant in each:
                pair = example["statement"], apply_edits(example["statement"], variant.edits["statement"])
                made[name].setdefault(variant.kind, []).append(pair)
    return made


def changed_words(original, perturbed):
    """(word, changed word) for every token that was replaced, blanks left out of account."""
    old, new = tokens(original)[0][1::2], tokens(perturbed)[0][1::2]
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        (" ".join(old[first:last]), "".join(new[low:high]))
        for kind, first, last, low, high in blocks
        if kind == "replace"
    ]


def changes(pairs, engine_name, kind):
    return [change for pair in pairs[engine_name][kind] for change in changed_words(*pair)]


def single_characters(pairs, engine_name, kind):
    """(old, new) character for every change of one character."""
    found = Counter()
    for old, new in changes(pairs, engine_name, kind):
        different = [(one, other) for one, other in zip(old, new, strict=False) if one != other]
        if len(old) == len(new) and len(different) == 1:
            found[different[0]] += 1
    return found


@pytest.mark.parametrize("kind", SUBSTITUTIONS)
def test_as_many_words_change(pairs, kind):
    ours, theirs = (len(changes(pairs, name, kind)) / len(pairs[name][kind]) for name in ("ours", "theirs"))
    assert ours == pytest.approx(theirs, rel=0.1)


@pytest.mark.parametrize(("kind", "least"), [("Keyboard", 0.95), ("Ocr", 0.95), ("Typos", 0.9)])
def test_the_same_words_are_eligible(pairs, kind, least):
    ours, theirs = ({old for old, _ in changes(pairs, name, kind) if old.isalnum()} for name in ("ours", "theirs"))
    assert len(ours & theirs) / len(ours | theirs) >= least


@pytest.mark.parametrize(("kind", "table"), [("Keyboard", NEIGHBOURS), ("Ocr", LOOK_ALIKES)])
def test_characters_become_the_same_characters(pairs, kind, table):
    theirs = single_characters(pairs, "theirs", kind)
    known = sum(count for (old, new), count in theirs.items() if new in table.get(old, ""))
    assert known / theirs.total() >= 0.97


def test_slips_are_of_the_same_kinds(pairs):
    shares = {}
    for name in ("ours", "theirs"):
        growth = Counter(len(new) - len(old) for old, new in changes(pairs, name, "Typos") if " " not in old)
        shares[name] = [growth[step] / growth.total() for step in (-1, 0, 1)]
    assert shares["ours"] == pytest.approx(shares["theirs"], abs=0.06)


def test_punctuation_has_the_same_outcomes(pairs):
    def ends(name):
        return {
            (after.replace(" ", "")[0], after.rstrip().replace(" ", "")[-4:].lstrip("abcdefghijklmnopqrstuvwxyz0189"))
            for _, after in pairs[name]["Punctuation"]
        }

    assert ends("ours") == ends("theirs")


def test_word_case_is_the_same(pairs):
    assert pairs["ours"]["WordCase"] == pairs["theirs"]["WordCase"]


def test_the_same_texts_are_contracted(pairs):
    ours, theirs = ({before for before, _ in pairs[name]["Contraction"]} for name in ("ours", "theirs"))
    assert len(ours & theirs) / len(ours | theirs) >= 0.9


def test_textflint_gives_the_same_for_the_same_seed_in_another_process(engine, tmp_path):
    with TextFlint(Path(PYTHON), tmp_path) as other:
        for example in EXAMPLES[:5]:
            assert other.variants(SENTIMENT, example, 0) == engine.variants(SENTIMENT, example, 0)


def test_textflint_keeps_the_answers_of_a_question(engine):
    context = "A man in a blue shirt is standing on a ladder cleaning a window."
    example = {"id": "1", "context": context, "question": "Who stands?", "answers": ["A man in a blue shirt"]}
    found = engine.variants(TASKS["qa"], example, 0)
    assert {variant.kind for variant in found} >= {"Keyboard", "Typos"}
    assert all("man in a blue shirt" in apply_edits(context, variant.edits["context"]) for variant in found)
