"""The form examples are kept in: what it refuses, and that writing and reading it are each other's inverse."""

import gzip
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.errors import Invalid
from dynaboard.nlp_tasks import TASKS
from services.evaluator.datasets.canonical import Example, canonical_lines, checked, read_examples

NLI, QA, SENTIMENT = TASKS["nli"], TASKS["qa"], TASKS["sentiment"]
GOOD = {"id": "7", "statement": "A fine film.", "label": "positive"}

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)
names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)
labelled = st.fixed_dictionaries(
    {
        "context": texts,
        "hypothesis": texts,
        "label": st.sampled_from(NLI.labels) | st.lists(st.sampled_from(NLI.labels), min_size=1),
    },
    optional={"tags": st.lists(names, max_size=5)},
)
answered = st.fixed_dictionaries(
    {"context": texts, "question": texts, "answers": st.lists(texts, min_size=1, max_size=3)}
)


def numbered(examples: list[Example]) -> list[Example]:
    return [{**example, "id": str(number)} for number, example in enumerate(examples)]


def stored(lines: list[bytes]) -> io.BytesIO:
    return io.BytesIO(gzip.compress(b"".join(lines)))


@given(st.lists(labelled, min_size=1, max_size=5))
def test_reading_what_was_written_and_writing_it_again_gives_the_same_bytes(drawn: list[Example]) -> None:
    lines = list(canonical_lines(NLI, numbered(drawn)))
    assert list(canonical_lines(NLI, read_examples(stored(lines)))) == lines


@given(st.lists(answered, min_size=1, max_size=5))
def test_every_text_of_a_question_survives_writing_and_reading(drawn: list[Example]) -> None:
    examples = numbered(drawn)
    assert list(read_examples(stored(list(canonical_lines(QA, examples))))) == examples


def test_a_line_has_sorted_keys_and_is_utf8_without_escapes() -> None:
    (line,) = canonical_lines(SENTIMENT, [{"statement": "Très bien", "label": "positive", "id": "1"}])
    assert line == '{"id":"1","label":"positive","statement":"Très bien"}\n'.encode()


def test_the_order_of_fields_tags_and_accepted_labels_does_not_change_the_bytes() -> None:
    one = {"id": "1", "context": "c", "hypothesis": "h", "label": ["contradictory", "neutral"], "tags": ["b", "a"]}
    other = {
        "tags": ["a", "b", "a"],
        "label": ["neutral", "contradictory"],
        "hypothesis": "h",
        "context": "c",
        "id": "1",
    }
    assert list(canonical_lines(NLI, [one])) == list(canonical_lines(NLI, [other]))


def test_a_list_of_one_accepted_label_is_that_label() -> None:
    assert checked(SENTIMENT, {**GOOD, "label": ["positive"]})["label"] == "positive"


def test_an_answer_need_not_be_a_span_of_the_context() -> None:
    example = {"id": "1", "context": "The DOC sneezed.", "question": "Who?", "answers": ["doc"]}
    assert checked(QA, example)["answers"] == ["doc"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"id": ""}, '"id" is empty'),
        ({"id": 7}, '"id" must be a text, not 7'),
        ({"id": "a\x00b"}, '"id" must be at most 200 printable characters'),
        ({"id": "x" * 201}, '"id" must be at most 200 printable characters'),
        ({"statement": None}, '"statement" must be a text, not None'),
        ({"statement": " \n"}, '"statement" is empty'),
        ({"statement": "\ud800"}, '"statement" holds half of a surrogate pair'),
        ({"label": "good"}, "the label 'good' is none of positive, negative, neutral"),
        ({"label": []}, "the list of accepted labels is empty"),
        ({"label": [["positive"]]}, "is none of positive, negative, neutral"),
        ({"tags": "r1"}, '"tags" must be a list of at most 32 names'),
        ({"tags": ["a\nb"]}, '"tags" must be at most 100 printable characters'),
        ({"prob": 1.0}, "'prob' is not a field of task sentiment"),
    ],
)
def test_what_is_wrong_with_an_example_is_said_in_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Invalid) as refusal:
        checked(SENTIMENT, {**GOOD, **change})
    assert sentence in refusal.value.detail


@pytest.mark.parametrize("answers", [None, [], "Rome", [""], [7]])
def test_a_question_needs_at_least_one_answer_that_is_a_text(answers: object) -> None:
    with pytest.raises(Invalid, match='"answers"'):
        checked(QA, {"id": "1", "context": "c", "question": "q", "answers": answers})


def test_an_id_may_occur_once() -> None:
    with pytest.raises(Invalid, match="the id '7' occurs twice"):
        list(canonical_lines(SENTIMENT, [GOOD, GOOD]))


def test_a_dataset_without_examples_is_refused() -> None:
    with pytest.raises(Invalid, match="holds no example"):
        list(canonical_lines(SENTIMENT, []))
