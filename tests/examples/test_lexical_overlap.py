"""The question answering baseline that has learnt nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.models.lexical_overlap.handler import Handler

CONTEXT = (
    "The mill at Esker was built in 1790 by Mr. Dunne, a miller. Its wheel is six metres wide, and Nora Walsh keeps it "
    "turning. On Sundays it grinds oats for the village of Lisheen."
)


def answer(context: str, question: str) -> str:
    handler = Handler()
    handler.load("")
    (found,) = handler.predict([{"id": "0", "context": context, "question": question}])
    assert 0 <= found["conf"] <= 1
    return str(found["answer"])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was the mill built?", "1790"),
        ("Who keeps the wheel turning?", "Nora Walsh"),
        ("How wide is the wheel?", "six metres"),
        ("What does the mill grind on Sundays?", "oats"),
        ("Who is the miller?", "Mr. Dunne"),
    ],
)
def test_the_question_word_decides_what_kind_of_phrase_is_wanted(question: str, expected: str) -> None:
    assert answer(CONTEXT, question) == expected


@given(st.text(max_size=300), st.text(max_size=80))
def test_every_answer_is_a_span_of_the_context(context: str, question: str) -> None:
    assert answer(context, question) in context


def test_words_of_the_question_are_not_given_back_as_the_answer() -> None:
    assert answer("The green door leads to the cellar.", "Where does the green door lead?") == "the cellar"
