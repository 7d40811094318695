"""Cheating when timed is caught, honest models are not accused: simulated noise, and real models."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.measurement.integrity import (
    ROUNDS,
    TOLERANCE,
    Speeds,
    Witness,
    determinism,
    flags_of,
    speed_ratio,
    speeds_of,
)
from dynaboard.measurement.unseen import reorderable, reordered
from dynaboard.nlp_tasks import TASKS
from dynaboard.runtime import Limits, Predictor, start_server

SENTIMENT = TASKS["sentiment"]
WORDS = ("film", "kind", "its", "many", "guests", "left", "all", "of", "them", "rather", "cold", "in", "end",
         "although", "nobody", "said", "so", "aloud", "until", "spring")  # fmt: skip
texts = st.text(min_size=1, max_size=300)


def examples(count: int) -> list[dict[str, Any]]:
    """Sentiment examples of 5 to 20 words."""
    random = Random(5)
    return [
        {"id": f"x{n}", "statement": " ".join(random.sample(WORDS, random.randint(5, 20))), "label": "positive"}
        for n in range(count)
    ]


# -- texts that were never seen


@given(texts, st.integers())
def test_a_reordered_text_has_the_same_letters(text: str, seed: int) -> None:
    made = reordered({"id": "1", "statement": text}, ["statement"], str(seed))
    assert sorted(made["statement"]) == sorted(text)
    assert made["id"] != "1"


@given(st.integers(), st.integers())
def test_a_reordered_text_has_the_same_words_and_depends_on_its_seed_alone(one: int, other: int) -> None:
    example = {"id": "1", "statement": " ".join(WORDS)}
    made = reordered(example, ["statement"], str(one))["statement"]
    assert sorted(made.split()) == sorted(WORDS)
    assert made == reordered(example, ["statement"], str(one))["statement"]
    assert (made == reordered(example, ["statement"], str(other))["statement"]) == (one == other)


def test_the_longest_field_is_reordered_and_the_others_stay() -> None:
    made = reordered({"id": "1", "context": "a b c d e f g h", "question": "who is it"}, ["context", "question"], "s")
    assert made["question"] == "who is it"
    assert made["context"] != "a b c d e f g h"


@pytest.mark.parametrize(
    ("text", "can"), [("ok", False), ("no no no no no no", False), ("one two three four five", True)]
)
def test_texts_too_poor_for_an_order_of_their_own_are_left_out(text: str, can: bool) -> None:
    assert reorderable({"statement": text}, ["statement"]) is can


# -- equal answers


def test_an_example_that_was_once_answered_otherwise_counts_as_different() -> None:
    found = determinism({"a": {"x"}, "b": {"x", "y"}, "c": {"y"}, "unscored": {"x"}}, {"a": "x", "b": "x", "c": "x"})
    assert found
    assert (found.compared, found.equal) == (3, 1)
    assert found.low < found.share < found.high


def test_nothing_in_common_tells_nothing() -> None:
    assert determinism({"a": {"x"}}, {"b": "x"}) is None


@pytest.mark.parametrize(
    ("compared", "different", "doubtful"),
    [(64, 0, False), (64, 1, False), (64, 4, True), (1024, 5, False), (1024, 20, True)],
)
def test_a_few_flips_are_no_doubt_and_many_are(compared: int, different: int, doubtful: bool) -> None:
    answers = {str(n): {"x" if n >= different else "y"} for n in range(compared)}
    found = determinism(answers, {str(n): "x" for n in range(compared)})
    assert found
    assert found.doubtful is doubtful


def test_one_flip_of_a_thousand_raises_an_alarm_in_less_than_one_of_a_hundred_measurements() -> None:
    random, alarms = Random(3), 0
    for _ in range(500):
        answers = {str(n): {"y" if random.random() < 0.001 else "x"} for n in range(1024)}
        found = determinism(answers, {str(n): "x" for n in range(1024)})
        alarms += found is not None and found.doubtful
    assert alarms <= 5


# -- speeds, simulated


def simulated(random: Random, noise: float, drift: float, gain: float = 1.0) -> tuple[str, ...]:
    """The flags of a check in which rates vary so much (log-normal) and drift from block to block."""
    machine, ratios = 1.0, []
    for _ in range(ROUNDS):
        machine *= 1 + random.gauss(0, drift)
        known, fresh = (machine * random.lognormvariate(0, noise) for _ in range(2))
        ratios.append(gain * known / fresh)
    return flags_of(Speeds(repeated=speed_ratio(ratios), reselected=speed_ratio(ratios)), None)


@pytest.mark.parametrize(("noise", "drift"), [(0.02, 0.0), (0.1, 0.1), (0.3, 0.1), (1.0, 0.5)])
def test_no_machine_is_so_noisy_that_honest_models_are_accused(noise: float, drift: float) -> None:
    random = Random(1)
    accused = sum(bool(simulated(random, noise, drift)) for _ in range(2_000))
    assert accused <= 20  # one of a hundred


@pytest.mark.parametrize(("noise", "gain"), [(0.02, 1.2), (0.1, 1.6), (0.2, 2.5)])
def test_a_cache_worth_having_is_found(noise: float, gain: float) -> None:
    random = Random(2)
    found = sum("cached" in simulated(random, noise, 0.02, gain) for _ in range(500))
    assert found >= 475


def test_a_gain_within_the_tolerance_is_none() -> None:
    flags = flags_of(Speeds(repeated=speed_ratio([1 + TOLERANCE / 2] * ROUNDS)), None)
    assert flags == ()


# -- real models

HONEST = """
class Handler:
    def load(self, model_dir):
        self.known = {}
        self.seen = set()

    def predict(self, examples):
        return [{"id": example["id"], "label": self.answer(example["statement"])} for example in examples]

    def answer(self, text):
        return self.work(text)

    def work(self, text):
        total = 0
        for word in text.split():
            for _ in range(1200):
                total += len(word)
        return ("positive", "negative", "neutral")[total // 1200 % 3]
"""
CACHES_EACH_INPUT = HONEST.replace(
    "        return self.work(text)",
    "        if text not in self.known: self.known[text] = self.work(text)\n        return self.known[text]",
)
CONSTANT_WHEN_REPEATED = HONEST.replace(
    "        return self.work(text)",
    "        if text in self.seen: return 'positive'\n        self.seen.add(text)\n        return self.work(text)",
)
CACHES_WHOLE_REQUESTS = HONEST.replace(
    "        return [",
    "        key = str(examples)\n"
    "        if key not in self.known: self.known[key] = self.slowly(examples)\n"
    "        return self.known[key]\n\n"
    "    def slowly(self, examples):\n"
    "        return [",
)
GUESSES = HONEST.replace(
    "        return self.work(text)",
    "        import random\n        self.work(text)\n        return random.choice(['positive', 'negative'])",
)
FAILS_ON_NEW_TEXTS = HONEST.replace(
    "        return self.work(text)",
    "        if len(self.seen) < 300: self.seen.add(text)\n"
    "        if text not in self.seen: raise ValueError('never seen')\n"
    "        return self.work(text)",
)  # fmt: skip


@pytest.fixture
def examined(tmp_path: Path) -> Iterator[Callable[[str], tuple[Speeds, tuple[str, ...]]]]:
    """A model scored on 300 examples, then timed, then checked, as an evaluation does."""
    servers = []

    def run(source: str) -> tuple[Speeds, tuple[str, ...]]:
        folder = tmp_path / "model"
        folder.mkdir()
        (folder / "handler.py").write_text(source)
        servers.append(start_server(folder, "handler.py:Handler", tmp_path / "run", Limits()))
        servers[0].wait_ready()

        async def all_steps() -> tuple[Speeds, tuple[str, ...]]:
            async with Predictor(servers[0], SENTIMENT, 10) as predictor:
                pool = examples(300)
                scored = {a.id: a.value async for some in predictor.stream(pool, 16) for a in some}
                with Witness().watching(predictor) as witness:
                    for _ in range(3):
                        await predictor.predict(pool[:64])
                    speeds = await speeds_of(predictor, pool, 16, 3_000, 0.025)
                return speeds, flags_of(speeds, determinism(witness.answers, scored))

        return asyncio.run(all_steps())

    yield run
    for server in servers:
        server.discard()


@pytest.mark.parametrize(
    ("source", "flags"),
    [
        (HONEST, ()),
        (CACHES_EACH_INPUT, ("cached",)),
        (CONSTANT_WHEN_REPEATED, ("cached", "inconsistent")),
        (CACHES_WHOLE_REQUESTS, ("cached",)),
        (GUESSES, ("inconsistent",)),
        (FAILS_ON_NEW_TEXTS, ("unchecked",)),
    ],
    ids=["honest", "caches inputs", "constant when repeated", "caches requests", "guesses", "fails on new texts"],
)
def test_each_model_gets_the_flags_it_deserves(
    examined: Callable[[str], tuple[Speeds, tuple[str, ...]]], source: str, flags: tuple[str, ...]
) -> None:
    speeds, found = examined(source)
    assert found == flags, speeds


def test_a_dataset_too_small_for_a_second_selection_leaves_that_check_out(
    examined: Callable[[str], tuple[Speeds, tuple[str, ...]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "examples", lambda count, made=examples: made(30))
    speeds, _ = examined(HONEST)
    assert speeds.repeated is not None
    assert speeds.reselected is None
