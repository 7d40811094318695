"""Examples that occur twice, or in another dataset of the task."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynaboard.nlp_tasks import TASKS
from dynaboard.storage import Storage
from services.evaluator.datasets.fingerprints import fingerprints, normalised, repeated, shared
from services.evaluator.datasets.repeats import repeats, stored_prints
from tests.evaluator.world import World

SENTIMENT = TASKS["sentiment"]


def examples(*texts: str) -> list[dict[str, str]]:
    return [{"id": f"i{number}", "statement": text, "label": "neutral"} for number, text in enumerate(texts)]


def prints(*texts: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    return fingerprints(SENTIMENT, examples(*texts))


@pytest.mark.parametrize("twin", ["A fine film", "a FINE film!", " a  fine\tfilm ", "a fíne film…"])
def test_texts_are_near_that_differ_in_case_punctuation_accents_and_blanks_alone(twin: str) -> None:
    assert normalised(twin) == "a fine film"
    assert repeated(prints("a fine film", twin))[1] == 1


def test_ids_and_labels_do_not_make_a_difference() -> None:
    one, other = {"id": "a", "statement": "x", "label": "neutral"}, {"id": "b", "statement": "x", "label": "positive"}
    assert repeated(fingerprints(SENTIMENT, [one, other])) == (1, 1)


@given(st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_counts_are_those_of_comparing_all_with_all(mine: list[str], theirs: list[str]) -> None:
    first = [normalised(text) for text in mine]
    assert repeated(prints(*mine)) == (len(mine) - len(set(mine)), len(first) - len(set(first)))
    others = {normalised(text) for text in theirs}
    expected = (sum(text in theirs for text in mine), sum(text in others for text in first))
    assert shared(prints(*mine), prints(*theirs)) == expected


def test_other_datasets_are_held_beside_and_their_fingerprints_made_once(world: World, storage: Storage) -> None:
    train = world.add_dataset("train", examples("one", "two", "three"), role="standard", phase="training")
    world.add_dataset("far", examples("nothing in common"))
    test = world.add_dataset("test", examples("One.", "two", "four", "four"))
    others = [train]
    found = repeats(storage, SENTIMENT, test.digest, others)
    assert (found["exact"], found["near"]) == (1, 1)
    (overlap,) = found["overlaps"]
    assert (overlap["dataset"], overlap["phase"], overlap["exact"], overlap["near"]) == ("train", "training", 1, 2)
    storage.delete(f"datasets/{train.digest}.jsonl.gz")
    assert stored_prints(storage, SENTIMENT, train.digest).shape == (2, 3)
