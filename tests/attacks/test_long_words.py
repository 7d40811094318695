"""Texts that anybody may have perturbed: neither long words nor many askers take the evaluator's memory or threads."""

import asyncio
import tracemalloc
from random import Random

import pytest

from dynaboard.errors import Invalid, Unavailable
from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbed.preview import preview_of, unstored
from services.evaluator.perturbed.recipe import recipe_of
from services.evaluator.perturbed.routes import LONGEST_EXAMPLE, MOST_WAITING, Turns, check_length
from services.evaluator.settings import EvaluatorSettings

SENTIMENT = TASKS["sentiment"]
LETTERS = 20_000
MIB = 1024**2


def test_long_words_take_no_memory_and_none_is_kept() -> None:
    """Each word of 20,000 letters took 160 MiB of misspellings, which were remembered for the next time."""
    settings = EvaluatorSettings(database_url="postgresql://nobody@127.0.0.1:9/nothing")
    recipe = recipe_of(settings, "robustness", SENTIMENT)
    preview_of(SENTIMENT, recipe, unstored({"statement": "A film."}, 0))  # reads the lists of words
    draw = Random(1)
    tracemalloc.start()
    try:
        for _ in range(3):
            word = "".join(draw.choices("abcdefgh", k=LETTERS))
            preview_of(SENTIMENT, recipe, unstored({"statement": f"A {word} film that is long."}, 0))
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 * MIB
    assert kept < 4 * MIB


def test_only_a_few_texts_wait_for_their_turn() -> None:
    async def ask() -> list[object]:
        turns, end = Turns(), asyncio.Event()

        async def one() -> None:
            async with turns.one():
                await end.wait()

        askers = [asyncio.create_task(one()) for _ in range(MOST_WAITING + 3)]
        await asyncio.sleep(0)
        end.set()
        answers = await asyncio.gather(*askers, return_exceptions=True)
        async with turns.one():  # and there is room again
            return list(answers)

    answers = asyncio.run(ask())
    assert answers[:MOST_WAITING] == [None] * MOST_WAITING
    assert all(isinstance(answer, Unavailable) for answer in answers[MOST_WAITING:])


def test_a_text_is_no_longer_than_what_its_worst_takes_a_second() -> None:
    check_length({"context": "x" * (LONGEST_EXAMPLE - 1), "question": "?"})
    for example in ({"context": "x" * LONGEST_EXAMPLE, "question": "?"}, {"words": ["x"] * (LONGEST_EXAMPLE + 1)}):
        with pytest.raises(Invalid, match=r"6,000 characters"):
            check_length(example)
