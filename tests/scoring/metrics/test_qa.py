"""SQuAD v1.1: equal to an oracle written from the published definition, and to values computed by hand."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.scoring.metrics import METRICS
from services.scoring.metrics.answers import Answers

texts = st.lists(
    st.sampled_from(
        ["the", "The", "a", "an", "cat", "Cat!", "cat.", "sat", "U.S.", "-", "'s", "naïve", "–a", "then", ""]
    ),
    max_size=6,
).map(" ".join)


def _tokens(text: str) -> list[str]:
    """Lower text, remove punctuation, then articles as whole words (bounded by non-word characters), split on space."""
    kept = "".join(character for character in text.lower() if character not in string.punctuation)
    words, word = [], ""
    for character in kept + " ":
        if character.isalnum() or character == "_":
            word += character
        else:
            words += ["" if word in ("a", "an", "the") else word, character]
            word = ""
    return "".join(part or " " for part in words).split()


def _oracle_f1(prediction: str, reference: str) -> float:
    predicted, expected = _tokens(prediction), _tokens(reference)
    left, common = list(expected), 0
    for token in predicted:
        if token in left:
            left.remove(token)
            common += 1
    if not common:
        return 0.0
    precision, recall = common / len(predicted), common / len(expected)
    return 2 * precision * recall / (precision + recall)


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_equals_the_published_definition(prediction: str, references: list[str]) -> None:
    answers = Answers([prediction], [references])
    exact = max(_tokens(prediction) == _tokens(reference) for reference in references)
    assert METRICS["squad_em"].compute(answers) == 100 * exact
    best = max(_oracle_f1(prediction, reference) for reference in references)
    assert METRICS["squad_f1"].compute(answers) == pytest.approx(100 * best)


@pytest.mark.parametrize(
    ("prediction", "references", "exact", "f1"),
    [
        ("The Eiffel Tower!", ["eiffel tower"], 100, 100),
        ("in Paris, France", ["Paris", "France"], 0, 50),
        ("Paris", ["London"], 0, 0),
        ("the", ["a"], 100, 0),  # both empty once normalised: v1.1 counts no common token
        ("", ["Paris"], 0, 0),
        ("cat cat", ["cat"], 0, 200 / 3),
    ],
)
def test_by_hand(prediction: str, references: list[str], exact: float, f1: float) -> None:
    answers = Answers([prediction], [references])
    assert METRICS["squad_em"].compute(answers) == exact
    assert METRICS["squad_f1"].compute(answers) == pytest.approx(f1)


def test_mean_over_examples() -> None:
    answers = Answers(["Paris", "in Rome"], [["Paris"], ["Rome"]])
    assert METRICS["squad_em"].compute(answers) == 50
    assert METRICS["squad_f1"].compute(answers) == pytest.approx((100 + 200 / 3) / 2)


@pytest.mark.parametrize("name", ["squad_em", "squad_f1"])
def test_free_text_says_nothing_about_labels(name: str) -> None:
    assert METRICS[name].compute(Answers(["neutral"], [["neutral"]], ("neutral",))) is None
